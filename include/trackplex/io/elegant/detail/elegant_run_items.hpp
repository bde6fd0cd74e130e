// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/elegant/detail/lattice_expressions.hpp>
#include <trackplex/io/elegant/detail/namelists.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io::detail {

/// Items that a command may have: those that are followed, those that have no effect on particles,
/// and those that have one unless their value is `0`, empty or the one behind `=`.
struct RunItems {
  std::string_view command, followed, harmless, acting;

  static bool has(std::string_view list, std::string_view name) { return !of(list, name).empty(); }
  /// The word of a name, perhaps with `=value`; empty if the list lacks it.
  static std::string_view of(std::string_view list, std::string_view name) {
    for (std::size_t at = 0; at < list.size();) {
      const std::size_t end = std::min(list.find(' ', at), list.size());
      const auto word = list.substr(at, end - at);
      if (word.substr(0, word.find('=')) == name) return word;
      at = end + 1;
    }
    return {};
  }
};

/// The commands that are followed, with their items, from elegant's manual.
inline std::span<const RunItems> all_run_items() {
  static constexpr RunItems all[] = {
      {"run_setup", "lattice use_beamline p_central p_central_mev default_order",
       "rootname output centroid bpm_centroid sigma final acceptance losses "
       "losses_include_global_coordinates losses_s_limit magnets profile semaphore_file parameters "
       "suppress_parameter_defaults rfc_reference_output combine_bunch_statistics wrap_around "
       "final_pass print_statistics show_element_timing monitor_memory_usage random_number_seed "
       "correction_iterations echo_lattice load_balancing_on random_sequence_no tracking_updates "
       "search_path element_divisions",
       "concat_order always_change_p0 expand_for back_tracking s_start"},
      {"run_control", "n_passes",
       "n_steps bunch_frequency n_indices n_passes_fiducial terminate_on_failure "
       "reset_rf_for_each_step first_is_fiducial restrict_fiducialization reset_scattering_seed "
       "wait_for_step_semaphore step_done_semaphore semaphore_check_interval restart_files",
       ""},
      {"alter_elements",
       "name item type exclude value string_value differential multiplicative "
       "allow_missing_elements allow_missing_parameters alter_at_each_step "
       "alter_before_load_parameters",
       "verbose",
       "start_occurence end_occurence occurence_step=1 s_start=-1 s_end=-1 after before"},
      {"vary_element",
       "name item initial differential multiplicative enumeration_file enumeration_column",
       "index_number index_limit final geometric disable", ""},
      {"load_parameters",
       "filename filename_list include_name_pattern include_item_pattern exclude_name_pattern "
       "exclude_item_pattern include_type_pattern allow_missing_files allow_missing_elements "
       "allow_missing_parameters change_defined_values",
       "verbose repeat_first_page_at_each_step force_occurence_data",
       "exclude_type_pattern edit_name_command clear_settings skip_pages use_first"},
      {"transmute_elements", "name type exclude new_type clear_all", "disable", ""},
      {"bunched_beam",
       "n_particles_per_bunch emit_x emit_nx beta_x alpha_x eta_x etap_x emit_y emit_ny beta_y "
       "alpha_y eta_y etap_y po sigma_dp sigma_s dp_s_coupling emit_z beta_z alpha_z "
       "momentum_chirp enforce_rms_values distribution_cutoff distribution_type centroid "
       "use_twiss_command_values",
       "bunch multiply_np_by_cores one_random_bunch save_initial_coordinates limit_invariants "
       "symmetrize halton_sequence halton_radix optimized_halton randomize_order limit_in_4d "
       "first_is_fiducial",
       "time_start matched_to_cell use_moments_output_values"},
      {"sdds_beam", "input",
       "one_random_bunch reuse_bunch save_initial_coordinates use_bunched_mode prebunched "
       "track_pages_separately",
       "input_list input_type=elegant selection_parameter selection_string n_particles_per_ring "
       "fiducialization_bunch sample_interval=1 n_tables_to_skip center_transversely "
       "center_arrival_time reverse_t_sign sample_fraction=1 p_lower p_upper n_duplicates "
       "duplicate_stagger"},
      {"track", "",
       "center_momentum_also offset_momentum_also soft_failure stop_tracking_particle_limit "
       "check_beam_structure interrupt_file",
       "center_on_orbit offset_by_orbit use_linear_chromatic_matrix longitudinal_ring_only "
       "ibs_only"},
      {"rpn_expression", "expression", "", ""}};
  return all;
}

/// Whether an item is a list of values.
inline bool is_list_item(std::string_view name) {
  return RunItems::has(
      "distribution_type distribution_cutoff enforce_rms_values centroid halton_sequence "
      "halton_radix randomize_order losses_s_limit",
      name);
}

/// Items of a command, or null.
inline const RunItems* run_items(std::string_view command) {
  const auto all = all_run_items();
  const auto found = std::ranges::find(all, command, &RunItems::command);
  return found == all.end() ? nullptr : &*found;
}

/// Commands that only write something, or matter to others that are not followed.
inline constexpr std::string_view harmless_commands =
    "analyze_map chaos_map closed_orbit correction_matrix_output coupled_twiss_output "
    "divide_elements error_control find_aperture floor_coordinates frequency_map global_settings "
    "matrix_output "
    "moments_output momentum_aperture optimization_constraint optimization_covariable "
    "optimization_setup optimization_term optimization_variable parallel_optimization_setup "
    "print_dictionary save_lattice "
    "semaphores slice_analysis trace tune_footprint "
    "tune_shift_with_amplitude twiss_analysis twiss_output";
inline bool is_harmless_command(std::string_view name) {
  return RunItems::has(harmless_commands, name);
}

/// The values of a command.
class RunValues {
 public:
  RunValues(const NamelistCommand& command, LatticeConstants& numbers, const std::string& file)
      : command_(command), numbers_(numbers), file_(file) {}

  const NamelistItem* find(std::string_view name, int index = 0) const {
    const NamelistItem* last = nullptr;
    for (const auto& item : command_.items)
      if (item.name == name && index >= item.first && index - item.first < int(item.values.size()))
        last = &item;
    return last;
  }
  std::string text(std::string_view name, const std::string& standard = {}, int index = 0) const {
    const auto* item = find(name, index);
    return item ? item->values[std::size_t(index - item->first)] : standard;
  }
  /// A number, or what an expression in reverse Polish notation gives. elegant evaluates those in
  /// parentheses; of others it takes the first number.
  double number(std::string_view name, double standard, int index = 0) const {
    const auto* item = find(name, index);
    if (!item) return standard;
    std::string text = item->values[std::size_t(index - item->first)];
    const std::size_t begin = std::min(text.find_first_not_of(blank), text.size());
    text = text.substr(begin, text.find_last_not_of(blank) + 1 - begin);
    if (text.size() > 1 && text.front() == '(' && text.back() == ')')
      text = text.substr(1, text.size() - 2);
    else if (text.find_first_of(blank) != text.npos)
      refuse(name, "expressions of several words are evaluated in parentheses only",
             "write \"(" + text + ")\"", index);
    LatticeToken at;
    at.line = item->line;
    const double value = numbers_.rpn(text, at);
    if (!std::isfinite(value)) refuse(name, "it is not finite");
    return value;
  }
  bool flag(std::string_view name, bool standard = false) const {
    return number(name, standard) != 0.;
  }
  std::int64_t integer(std::string_view name, std::int64_t standard) const {
    const double value = number(name, double(standard));
    if (value != std::floor(value) || !(std::abs(value) < 0x1p53))
      refuse(name, "it is no whole number");
    return std::int64_t(value);
  }

  const NamelistCommand& command() const { return command_; }
  /// Where the command stands.
  std::string place() const { return file_ + ": line " + std::to_string(command_.line); }

  /// Throws InputError at an item, or one of its values.
  [[noreturn]] void refuse(std::string_view name, const std::string& why,
                           const std::string& hint = {}, int index = 0) const {
    const auto* item = find(name, index);
    throw InputError(
        {file_, "line " + std::to_string(item ? item->line : command_.line)},
        command_.name + ": " + std::string(name) + " cannot be '" + text(name, {}, index) + "'",
        why, hint);
  }
  void require(bool condition, std::string_view name, const std::string& why,
               const std::string& hint = {}, int index = 0) const {
    if (!condition) refuse(name, why, hint, index);
  }

 private:
  static constexpr std::string_view blank = " \t\r\n";

  const NamelistCommand& command_;
  LatticeConstants& numbers_;
  const std::string& file_;
};

}  // namespace trackplex::io::detail
