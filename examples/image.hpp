// SPDX-License-Identifier: BSL-1.0
// write_image(name, rgb) writes rgb: uint8[height, width, 3] to name.png by libpng; without libpng to name.ppm, which needs no library.
#pragma once

#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>

#include <exprax/core.hpp>

#ifdef EXAMPLES_WITH_PNG
#include <png.h>
#endif

template <int Height, int Width>
void write_image(std::string const& name, exprax::array<std::uint8_t, Height, Width, 3> const& rgb) {
#ifdef EXAMPLES_WITH_PNG
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = Width;
  image.height = Height;
  image.format = PNG_FORMAT_RGB;
  bool const written = png_image_write_to_file(&image, (name + ".png").c_str(), 0, rgb.data(), 0, nullptr) != 0;
#else
  std::ofstream file(name + ".ppm", std::ios::binary);
  file << "P6\n" << Width << ' ' << Height << "\n255\n";
  file.write(reinterpret_cast<char const*>(rgb.data()), rgb.size());
  bool const written = file.good();
#endif
  if (!written) throw std::runtime_error("cannot write the image " + name);
}
