// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/io/perfmodel/detail/perfmodel_fields.hpp>
#include <trackplex/io/perfmodel/perfmodel_json.hpp>

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

namespace detail {

/// A file of chains.
struct ChainFile {
  std::vector<perfmodel::ChainProfile> chains{};
};

template <class Fields>
void describe(Fields& f, Either<ChainFile> auto& file) {
  f.list("chains", file.chains, true);
}

inline void check_loops(const std::vector<perfmodel::Loop>& loops, const std::string& file,
                        const std::string& path) {
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const auto& loop = loops[i];
    const std::string here = path + "[" + std::to_string(i) + "]";
    try {
      (void)perfmodel::mean(loop.trip_count);
    } catch (const UsageError& error) {
      throw InputError({file, here + ".trip_count"}, error.what());
    }
    check_loops(loop.loops, file, here + ".loops");
  }
}

inline void check_curve(const perfmodel::Channel& channel, const std::string& file,
                        const std::string& path) {
  const auto& points = channel.efficiency.points;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (!(points[i - 1].bytes < points[i].bytes))
      throw InputError({file, path + ".efficiency", i}, "the sizes do not ascend");
}

inline perfmodel::Device device_of(const Json& json, const std::string& file,
                                   const std::string& path) {
  perfmodel::Device device;
  FieldReader(json, file, path).read(device);
  const std::string prefix = path.empty() ? "" : path + ".";
  check_curve(device.memory, file, prefix + "memory");
  check_curve(device.link, file, prefix + "link");
  return device;
}

}  // namespace detail

TRACKPLEX_INLINE perfmodel::Application parse_application(std::string_view text,
                                                          const std::string& name) {
  const auto json = detail::parse_json(text, name);
  perfmodel::Application application;
  detail::FieldReader(json, name, "").read(application);
  if (application.loops.empty())
    throw InputError({name, "loops"}, "there is no loop", "the list is empty",
                     "describe the work of one item as a loop with trip_count 1");
  detail::check_loops(application.loops, name, "loops");
  return application;
}

TRACKPLEX_INLINE perfmodel::Application read_application(const std::filesystem::path& file) {
  return parse_application(read_file(file), file.string());
}

TRACKPLEX_INLINE std::vector<perfmodel::Device> parse_devices(std::string_view text,
                                                              const std::string& name) {
  const auto json = detail::parse_json(text, name);
  const auto where = [&] { return InputPlace{name}; };
  if (!detail::as_object(json, where).contains("devices"))
    return {detail::device_of(json, name, "")};
  for (const auto& [key, value] : json.items())
    if (key != "devices") throw InputError({name, key}, "is no known field", {}, "known: devices");
  std::vector<perfmodel::Device> devices;
  std::set<std::string> names;
  for (const auto& element :
       detail::as_array(json["devices"], detail::FieldPlace{name, "devices"})) {
    const std::string path = "devices[" + std::to_string(devices.size()) + "]";
    devices.push_back(detail::device_of(element, name, path));
    if (!names.insert(devices.back().name).second)
      throw InputError({name, path + ".name"}, "there is another device of this name",
                       devices.back().name);
  }
  return devices;
}

TRACKPLEX_INLINE std::vector<perfmodel::Device> read_devices(const std::filesystem::path& file) {
  return parse_devices(read_file(file), file.string());
}

TRACKPLEX_INLINE std::vector<perfmodel::ChainProfile> parse_chains(std::string_view text,
                                                                   const std::string& name) {
  const auto json = detail::parse_json(text, name);
  detail::ChainFile file;
  detail::FieldReader(json, name, "").read(file);
  if (file.chains.empty()) throw InputError({name, "chains"}, "the list is empty");
  for (std::size_t i = 0; i < file.chains.size(); ++i) {
    const auto& points = file.chains[i].traffic.points;
    for (std::size_t k = 1; k < points.size(); ++k)
      if (!(points[k - 1].cache < points[k].cache))
        throw InputError({name, "chains[" + std::to_string(i) + "].traffic", k},
                         "the caches do not ascend");
  }
  return file.chains;
}

TRACKPLEX_INLINE std::vector<perfmodel::ChainProfile> read_chains(
    const std::filesystem::path& file) {
  return parse_chains(read_file(file), file.string());
}

TRACKPLEX_INLINE std::string chains_text(const std::vector<perfmodel::ChainProfile>& chains) {
  return detail::FieldWriter::write(detail::ChainFile{chains}).dump(2) + "\n";
}

TRACKPLEX_INLINE std::string application_text(const perfmodel::Application& application) {
  return detail::FieldWriter::write(application).dump(2) + "\n";
}

TRACKPLEX_INLINE std::string devices_text(const std::vector<perfmodel::Device>& devices) {
  detail::OrderedJson list = detail::OrderedJson::array();
  for (const auto& device : devices) list.push_back(detail::FieldWriter::write(device));
  return detail::OrderedJson{{"devices", list}}.dump(2) + "\n";
}

}  // namespace trackplex::io
