// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Applications, devices and chains of the performance model as JSON files. A device file is one
/// device, or an object with the list `devices`. The fields are described in the guide of
/// perfmodel; an unknown field is an error that names its path, as in `loops[1].trip_count`.

#include <trackplex/core/compiled.hpp>
#include <trackplex/perfmodel/application.hpp>
#include <trackplex/perfmodel/core_scaling.hpp>
#include <trackplex/perfmodel/device.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

/// Parses the description of an application; `name` is for messages.
/// @throws InputError if the text is no JSON, a field is unknown or of another type, there is no
/// loop, or a trip count is no distribution
perfmodel::Application parse_application(std::string_view text, const std::string& name);

/// Reads a file with the description of an application, see parse_application().
/// @throws InputError if the file cannot be read or parsed
perfmodel::Application read_application(const std::filesystem::path& file);

/// Parses the description of one device or of several; `name` is for messages.
/// @throws InputError if the text is no JSON, a field is unknown or of another type, the sizes of
/// an efficiency curve do not ascend, or two devices have one name
std::vector<perfmodel::Device> parse_devices(std::string_view text, const std::string& name);

/// Reads a file with the descriptions of devices, see parse_devices().
/// @throws InputError if the file cannot be read or parsed
std::vector<perfmodel::Device> read_devices(const std::filesystem::path& file);

/// Parses an object with the list `chains`; `name` is for messages.
/// @throws InputError if the text is no JSON, a field is unknown or of another type, there is no
/// chain, or the caches of a traffic curve do not ascend
std::vector<perfmodel::ChainProfile> parse_chains(std::string_view text, const std::string& name);

/// Reads a file with the measured needs of chains, see parse_chains().
/// @throws InputError if the file cannot be read or parsed
std::vector<perfmodel::ChainProfile> read_chains(const std::filesystem::path& file);

/// Returns a JSON text that reads back as an equal application.
std::string application_text(const perfmodel::Application& application);

/// Returns a JSON text that reads back as equal devices.
std::string devices_text(const std::vector<perfmodel::Device>& devices);

/// Returns a JSON text that reads back as equal chains.
std::string chains_text(const std::vector<perfmodel::ChainProfile>& chains);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/perfmodel/detail/perfmodel_json.impl.hpp>
#endif
