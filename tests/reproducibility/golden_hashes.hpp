// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace trackplex::test {

// Hashes of the complete output for generated input. Every backend, number of threads, lane width
// and batch size must give them; a change of an algorithm or of the generator that changes the
// output changes them too, and says so.

struct Golden {
  std::string single_precision;
  std::string double_precision;
};

inline const std::string exclusive_scan_golden = "c08ac8c42045c535";
inline const std::string counting_sort_golden = "74664d1e8c70bb29";
inline const Golden reduce_golden{"0645f57bf4c061d5", "aaee16d184cc4eee"};
inline const Golden elementary_functions_golden{"6a9ce29ebe2d70dc", "bec26025108bc35d"};
inline const Golden random_draws_golden{"2b75395b33297816", "8a4a855e505a9950"};

inline const Golden histograms_golden{"9f2f6e2691c82446", "6fc33580c3b395d1"};

inline const Golden generated_bunches_golden{"381326f15664b61b", "ca454590d679f1c7"};
inline const Golden bunches_behind_elements_golden{"c6d003e33678701b", "c49174ca6aa36bcc"};
inline const Golden bunches_behind_collective_elements_golden{"5de89df0490bfcab",
                                                              "2f17939d42106dd2"};
inline const Golden bunches_after_closed_maps_golden{"9cf7212ebc4ec9d3", "f7424d76e9d08062"};
inline const Golden bunches_after_row_of_closed_maps_golden{"7b73b7c4c7fd9493", "180f3bc623748c63"};
inline const Golden bunches_behind_madx_elements_golden{"c1c1d5be61a89e24", "2ffe331445bb1613"};
inline const Golden spins_golden{"30adef5bef469c30", "de24e0ad0985fabd"};
inline const Golden bunches_behind_pulses_golden{"c1044cccf99ab087", "89d066f06f5d9c31"};
inline const Golden bunches_behind_pulsed_multipoles_golden{"e122eb9b57d91713", "c95c1e544549e6ad"};
inline const Golden bunches_after_space_charge_kicks_golden{"bb6808f4c6674752", "0c08aab228b3b3e1"};
inline const Golden bunches_after_cavity_modes_golden{"96e5cd9b3721c927", "956942df254e01f5"};
inline const Golden bunches_with_space_charge_golden{"421a27a22cb1f5dc", "020728cc72c493b9"};
inline const Golden dynamic_aperture_golden{"ce7d14a65a78e99f", "6d7b7ecabab17256"};

inline const std::string elegant_functions_golden = "bf949500930a88b5";
inline const std::string madx_functions_golden = "5933368f31879b96";
inline const std::string powers_golden = "1135560096f2824a";
inline const std::string elegant_elements_golden = "fec79ead35ee1780";
inline const std::string madx_elements_golden = "3a465b873177d084";
inline const std::string optics_golden = "50d57931904a5819";
inline const std::string matched_strengths_golden = "b1fd015c55c322bf";

inline const Golden matrix_algebra_golden{"ba79e0065cf9311b", "8f9b5b2e5a976749"};

inline const Golden smoothed_tracks_golden{"d417fb68414f2741", "6c2605c8022fa859"};
inline const Golden module_fits_golden{"a8d9d15d1cd89549", "06bb73a0bd7b354c"};
inline const Golden tracks_in_fields_golden{"f1d3430240df65f3", "396c80e854c49c67"};
inline const std::string fits_in_fields_golden = "455f0863c30f13e1";
inline const Golden beam_spot_golden{"413e7a56b555e11c", "3dde0539ca4d9d19"};

inline const std::string cylinder_events_golden = "f9096708815390ae";
inline const std::string realistic_cylinder_events_golden = "b86e86807e02bb81";
inline const Golden seeds_of_triplets_golden{"3bcb6ea8aa73e2a3", "e06f75219b927619"};

inline const Golden best_hit_tracks_golden{"23fc50910381d2e4", "ad9537e5eaf0384d"};
inline const std::string tracks_without_shared_hits_golden = "469d2bb271dd9f47";
inline const Golden combinatorial_tracks_golden{"6a06a7a1a6bf6c17", "c11b5dae869e4339"};
/// With 24 candidates: one lane keeps them in a heap, eight by insertion.
inline const std::string many_candidates_golden = "ee0adc5216ca0612";

inline const std::string small_detector_golden = "bef412d84e625b72";
inline const std::string small_telescope_golden = "dcbec6c8fb968f5d";
inline const std::string gun_events_golden = "eebe98fc7784596b";
inline const std::string beam_gun_events_golden = "0b3de74a857c918c";

inline const std::string detector_bins_golden = "a49ebc2535082713";
inline const Golden best_hit_on_modules_golden{"e52be82cf5dd33e8", "0409cde7136f1f07"};
inline const std::string combinatorial_on_modules_golden = "b0d9eaffa6266c2a";
inline const Golden detector_finding_golden{"6cd9acdde741bf52", "26489d9d10bea471"};
inline const Golden telescope_golden{"fb27949c140293d3", "c7879fb529888a94"};
inline const std::string overlap_hits_golden = "4d683a9e23d4fbfc";

inline const std::string velo_events_golden = "5226bd726355facb";
inline const Golden velo_tracks_2019_golden{"6448ae44cfc47bd8", "fe7966b55d3a7925"};
inline const Golden velo_tracks_2020_golden{"b96e7fd582f45aeb", "07fb058f48ea8b52"};
inline const Golden velo_tracks_2023_golden{"efb6a81e59e37ea3", "cf9d8e529c1c0137"};

inline const Golden scifi_hits_golden{"903350db23a89156", "d6becfbd78c07bad"};

inline const Golden long_tracks_golden{"fbc018be40afa297", "9ce73ad16dad9cc6"};
inline const Golden raw_long_tracks_golden{"a0afc421add398a4", "41da40f215322721"};
inline const Golden matched_tracks_golden{"ae8387c733dc93a5", "aae536e69f0b90fa"};
inline const Golden raw_matched_tracks_golden{"da7eecd6ff94c9e9", "feaa756aa320f332"};
inline const Golden long_fits_golden{"0bd1ecdec1be41eb", "90684a99b9d247ee"};
inline const Golden field_fits_golden{"0385edd4e9eb2452", "f327bf7ac61790fb"};

inline const Golden vertices_golden{"ac5f59488fb5ed06", "9c3056da53892dd9"};
inline const Golden tracks_chain_golden{"5d9a9e982b6292db", "7f48a981e43b47d8"};

inline const std::string raw_events_golden = "907c825a65df9f62";
inline const std::string raw_scifi_events_golden = "5a08d87b5789da49";
inline const Golden generated_tracks_golden{"e4219e2ca2fd9619", "09adcf7a329e7911"};
inline const Golden velo_ut_hits_golden{"a81fbca7341ddc27", "b031381def3e6651"};
inline const Golden velo_ut_tracks_2020_golden{"11b7d273b18f079f", "23a5a87385b836db"};
inline const Golden velo_ut_tracks_golden{"2681a1acd1c90cce", "c47a23a2f55ed6a3"};

inline const Golden transport_golden{"a110dd7a94813fd4", "841e9893fccc6da4"};

}  // namespace trackplex::test
