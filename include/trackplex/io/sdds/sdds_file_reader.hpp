// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/gunzip.hpp>
#include <trackplex/io/sdds/sdds_reader.hpp>

#include <filesystem>
#include <string>

namespace trackplex::io {

/// Reader of an SDDS file, perhaps compressed, with the headers that it includes.
class SddsFileReader {
 public:
  explicit SddsFileReader(const std::filesystem::path& path)
      : bytes_(detail::read_plain_or_gzip(path)),
        folder_(path.parent_path()),
        reader_(bytes_, path.string(), &folder_) {}

  SddsReader& operator*() { return reader_; }
  SddsReader* operator->() { return &reader_; }

 private:
  std::string bytes_;
  std::filesystem::path folder_;
  SddsReader reader_;
};

}  // namespace trackplex::io
