// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds tracks in any detector of modules, or fits given ones, and compares them with the truth.
#include "modes.hpp"

#include <filesystem>
#include <initializer_list>
#include <string>

namespace detector_tracker {

namespace {

void add_detector_inputs(program::Program& p, Settings& settings) {
  auto input = p.group("Detector and input");
  input
      .input("--detector", settings.detector, "NAME",
             "small: built-in barrels and disks; telescope: planes of strips around a magnet; "
             "trackml, acts: the detector of TrackML; a file: its modules, in the format of "
             "TrackML's detectors.csv; cms: fits simulated muons")
      .show_default();
  input.input("--geometry", settings.geometry, "FILE",
              "Modules of trackml or acts (default: in the folder TRACKPLEX_DATA)");
  input.input(
      "--input", settings.input, "FILE...",
      "Read events: what the names of TrackML's files begin with; ACTS' file of hits, or of "
      "measurements or cells where its name says so; of cms: simulated muons as text. Also "
      ".gz; several follow each other");
  input.number(
      "--field", settings.field, "TESLA", -20., 20.,
      "Magnetic field at the origin (default: 2, cms 3.8157), in the magnet for telescope (1)",
      "T");
  auto generated = p.group("Generated events");
  generated.number(
      "--generate", settings.generate, "N", 1, 1e7,
      "Events to generate (default without --input: 1, telescope 100), or muons for cms (10000)");
  generated.input("--particles", settings.particles, "FILE",
                  "Particles of each event in TrackML's format (default: random); with --input "
                  "of acts, its particles (default: next to the hits)");
  generated.number("--tracks", settings.tracks, "N", 0, 1e6,
                   "Random particles per event (default: 1000, telescope 5)");
  generated.number("--min-pt", settings.min_pt, "GEV", 0.05, 1e4,
                   "Their min transverse momentum (default: 0.5, cms 1)", "GeV");
  generated.number("--max-pt", settings.max_pt, "GEV", 0.05, 1e4, "Their max pT (default: 10)",
                   "GeV");
  generated.number("--noise", settings.noise, "P", 0., 0.9,
                   "Fraction of noise hits (default: 0, trackml and telescope 0.15)");
  generated.number("--inefficiency", settings.inefficiency, "P", 0., 1.,
                   "Probability that a module has no hit (default: 0, trackml and telescope 0.02)");
}

void add_detector_options(program::Program& p, Settings& settings) {
  add_detector_inputs(p, settings);
  auto tracking = p.group("Tracking");
  tracking.number("--max-chi2", settings.max_chi2, "X", 0.1, 1e6,
                  "Leave out hits with a larger chi2 (default: depends on the detector)");
  tracking.number("--beam-x", settings.beam_x, "CM", -100., 100.,
                  "Centre of the collisions; generated particles come from there, too", "cm");
  tracking.number("--beam-y", settings.beam_y, "CM", -100., 100., "Its y", "cm");
  tracking.number("--beam-z", settings.beam_z, "CM", -1e3, 1e3, "Its z", "cm");
  tracking.number("--sigma-z", settings.sigma_z, "CM", 1e-3, 1e3,
                  "Standard deviation of collisions along the beam (default: measured, from the "
                  "tracks of the first batch)",
                  "cm");
  auto output = p.group("Output");
  output.number("--above-pt", settings.above_pt, "GEV", 0., 1e4,
                "Count efficiencies for particles above this transverse momentum", "GeV");
  output.number("--max-vertex-r", settings.max_vertex_r, "CM", 0., 1e4,
                "Count efficiencies for particles that start this close to the beam", "cm");
  program::add_display_options(output, settings.display);
  output.table("--output", settings.output,
               "Write the tracks, with their states, and their hits, as .csv, .h5 or .sdds",
               {"hits"});
  program::add_pipeline_options(p.group("Pipeline"), settings.pipeline);
  p.example("detector_tracker --generate 2 --display 0 --json report.json",
            "tracks of two events in a small detector; scripts/plot report.json draws them");
  p.example("detector_tracker --detector telescope --generate 1000",
            "tracks through planes of strips on both sides of a magnet");
  p.example("detector_tracker --detector trackml --input event000000001",
            "tracks of an event of TrackML, with their score");
  p.example("detector_tracker --detector trackml --generate 1 --particles event1001-particles.csv",
            "tracks of a generated event with given particles");
  p.example("detector_tracker --detector cms --input muons.txt.gz",
            "fits simulated muons of CMS with the hits and covariances of the file");
  p.add_common_options();
}

/// Refuses options that do not belong to the detector or to each other.
void check(const program::Program& p, const Settings& s) {
  using program::refuse_if;
  const bool is_cms = s.detector == "cms", is_telescope = s.detector == "telescope";
  const bool reads = !s.input.empty();
  const bool is_acts = s.detector == "acts", is_trackml = s.detector == "trackml";
  const bool is_file = !is_cms && !is_acts && !is_trackml && !is_telescope && s.detector != "small";
  const auto only = [&](bool allowed, const char* problem,
                        std::initializer_list<const char*> options) {
    for (const char* option : options) refuse_if(!allowed && p.is_changed(option), option, problem);
  };
  refuse_if(is_file && !std::filesystem::exists(s.detector), "--detector",
            "'" + s.detector + "' is not a detector, and there is no such file",
            "give small, telescope, trackml, acts, cms or a table of modules");
  only(!reads, "it excludes --input", {"--generate"});
  only(is_acts || is_trackml, "it is for the detectors trackml and acts", {"--geometry"});
  refuse_if(reads && (is_telescope || s.detector == "small"), "--input",
            "the detector " + s.detector + " has no files", "name the detector of the events");
  refuse_if(s.field == 0., "--field", "it is 0", "momenta are measured by their curvature");
  only(!is_trackml, "the field of trackml is fixed", {"--field"});
  only(!is_cms && (!reads || is_acts), "it is for generated events and for acts", {"--particles"});
  only(!reads && s.particles.empty(), "it is for random particles",
       {"--min-pt", "--max-pt", "--tracks"});
  only(!reads, "it is for generated events", {"--noise", "--inefficiency"});
  only(!is_cms, "it is for events, not for muons of cms",
       {"--tracks", "--noise", "--inefficiency", "--sigma-z", "--above-pt", "--max-vertex-r",
        "--display", "--event-display", "--output", "--slots", "--batch", "--memory", "--trace",
        "--journal", "--fingerprints", "--sequence", "--list-algorithms"});
  only(!is_cms && !is_telescope, "it is for events of colliders",
       {"--beam-x", "--beam-y", "--beam-z"});
  only(!is_telescope, "it is for detectors at colliders",
       {"--particles", "--min-pt", "--max-pt", "--sigma-z", "--above-pt", "--max-vertex-r"});
}

}  // namespace

int detectors(int argc, char* argv[]) {
  program::Program p(
      "detector_tracker",
      "Finds tracks in detectors of modules, or fits those of CMS. In a detector of cylinders:\n"
      "detector_tracker cylinder_tracker finds tracks, detector_tracker kalman_fit fits and "
      "smooths "
      "them.",
      "event or muon");
  Settings settings;
  add_detector_options(p, settings);
  return p.main(argc, argv, [&] {
    check(p, settings);
    settings.seed = p.options.seed;
    if (settings.detector == "cms")
      run_fits(p, settings);
    else if (settings.detector == "telescope")
      run_telescope(p, settings);
    else
      run_finder(p, settings);
  });
}

}  // namespace detector_tracker
