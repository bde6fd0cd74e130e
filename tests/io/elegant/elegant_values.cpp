// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <filesystem>
#include <string>
#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/io/tables/table_file.hpp>
#include <vector>

using namespace trackplex;
using namespace trackplex::beam;

namespace {

/// x, x', y, y', t (s) and p (beta gamma) after an element and a drift of 1 m, by elegant.
struct Recorded {
  std::string element;
  std::array<double, 6> after;
};

/// x, x', y, y', t and delta of the particles of those runs at p = 1000.
constexpr double particles[][6] = {{1e-3, 0., 0., 0., 0., 0.},
                                   {0., 0., 1e-3, 0., 0., 0.},
                                   {5e-4, 2e-4, -3e-4, 1e-4, 0., 1e-3},
                                   {0., 0., 0., 0., 1e-12, 0.}};

double velocity(double p) { return constants::speed_of_light * p / std::sqrt(1. + p * p); }

/// The third of the particles after an element and a drift of 1 m.
std::array<double, 6> after(const std::string& element) {
  const double p0 = 1000.;
  ParticleTable table(4, p0);
  for (int i = 0; i < 4; ++i) {
    const auto& v = particles[i];
    for (int k = 0; k < 6; ++k)
      table.v[k][i] = k == s ? v[k] * velocity(p0 * (1. + v[delta])) : v[k];
  }
  const auto folder = std::filesystem::temp_directory_path();
  const auto lattice =
      io::parse_elegant_lattice("q: " + element + "\nd: DRIF, L=1\nl: LINE=(q, d)\n",
                                (folder / "elegant_values.lte").string(), {.p0 = p0});
  const HostExecutor exec;
  auto bunch = upload<double>(exec, table);
  LineTracker<double, HostExecutor>(exec, lattice.expand(), {0., 0.}).track(bunch);
  table = download(exec, bunch);
  std::array<double, 6> found;
  for (int k = 0; k < 4; ++k) found[k] = table.v[k][2];
  found[5] = table.reference.p0 * (1. + table.v[delta][2]);
  found[4] = (table.reference.path_length + table.v[s][2]) / velocity(found[5]);
  return found;
}

void check_recorded(const std::vector<Recorded>& all) {
  for (const Recorded& recorded : all) {
    const auto found = after(recorded.element);
    for (int k = 0; k < 6; ++k) {
      CAPTURE(recorded.element, k, found[k], recorded.after[k]);
      const double unit = k == 4 ? 1. / constants::speed_of_light : k == 5 ? 1000. : 1.;
      CHECK(std::abs(found[k] - recorded.after[k]) <= 5e-13 * unit);
    }
  }
}

}  // namespace

TEST_CASE("bends that are rotated around the axis are displaced as in elegant", "[io][elegant]") {
  check_recorded({
      {"CSBEND, L=0.5, ANGLE=0.2, TILT=0.4, ETILT=0.02",
       {0.00297225354403219, 0.00193634946538873, -0.00462271427076979, -0.00347590861072082,
        5.003765000576444e-09, 1001}},
      {"CSRCSBEND, L=0.5, ANGLE=0.2, TILT=0.4, ETILT=0.02, CSR=0, BINS=10",
       {0.00297225354403219, 0.00193634946538873, -0.00462271427076979, -0.00347590861072082,
        5.003765000576444e-09, 1001}},
      {"CSBEND, L=0.5, ANGLE=0.2, ETILT=0.02, DX=1e-3, DY=2e-3, DZ=2e-3",
       {0.00152376811789226, 0.000477010790643622, -0.00510679806368678, -0.00386839104714123,
        5.0039730228188147e-09, 1001}},
      {"CSRCSBEND, L=0.5, ANGLE=0.2, ETILT=0.02, DX=1e-3, DY=2e-3, DZ=2e-3, CSR=0, BINS=10",
       {0.00152376811789226, 0.000477010790643622, -0.00510679806368678, -0.00386839104714123,
        5.0039730228188147e-09, 1001}},
      {"CSBEND, L=0.5, ANGLE=-0.2, ETILT=0.02",
       {0.000448887603577684, -8.09655921360854e-05, 0.00481370661910311, 0.00406831194602121,
        5.0031466542971882e-09, 1001}},
      {"CSBEND, L=0.5, ANGLE=-0.2, TILT=0.3, ETILT=0.02, DX=1e-3, DY=2e-3, DZ=2e-3",
       {-0.00125771255020618, -0.00111402552009795, 0.00453286692440746, 0.00385016428210172,
        5.0037338344351807e-09, 1001}},
      {"CSRCSBEND, L=0.5, ANGLE=-0.2, TILT=0.4, ETILT=0.02, DX=1e-3, CSR=0, BINS=10",
       {-0.00137915302120131, -0.00152674669357838, 0.00432767027586347, 0.00368019694528744,
        5.0031901662976985e-09, 1001}},
      {"SBEN, L=0.5, ANGLE=-0.2, ETILT=0.02, DX=1e-3, DY=2e-3, DZ=2e-3",
       {0.000135755288292558, 1.99150826818246e-06, 0.00480697644918098, 0.00406982454447661,
        5.0033081071060588e-09, 1001}},
      {"SBEN, L=0.5, ANGLE=0.2, ETILT=0.02, DX=1e-3, DY=2e-3, DZ=2e-3",
       {0.00152324575218589, 0.00047655988971616, -0.00510692514796422, -0.00386860960944446,
        5.0039754406576635e-09, 1001}},
  });
}

TEST_CASE("magnets have the slices of elegant's", "[io][elegant]") {
  check_recorded({
      {"MULT, L=0.5, KNL=4, N_SLICES=20",
       {-0.00121772040202112, -0.0013657278265358, -0.00200510632000626, -0.00142064623549501,
        5.0034714237133904e-09, 1001}},
      {"MULT, L=0.5, KNL=4, N_KICKS=2, N_SLICES=10",
       {-0.00122127667496255, -0.00136872563145851, -0.00200003030144096, -0.00141614027329601,
        5.0034714213265996e-09, 1001}},
      {"CSBEND, L=0.5, ANGLE=0.2, K1=0.5, N_KICKS=8, N_SLICES=2",
       {0.00088948567921848, 0.000270262502195905, -0.000238075391696012, 2.98037791225766e-05,
        5.0037562085491876e-09, 1001}},
      {"CSBEND, L=0.5, ANGLE=0.2, K1=0.5, N_SLICES=2, N_KICKS=8",
       {0.000823880671133219, 0.000217917766637699, -0.000238076563344107, 2.98000163668706e-05,
        5.0038321593523943e-09, 1001}},
      {"KOCT, L=0.5, K3=8e5, N_KICKS=0",
       {0.000796794634725381, 0.000197191710232489, -0.000168880109432471, 8.4764361735154e-05,
        5.003464041818781e-09, 1001}},
  });
}

TEST_CASE("bends of no angle are those of elegant", "[io][elegant]") {
  check_recorded({
      {"SBEN, L=0.5, K1=0.5, DX=1e-3",
       {0.0008, 0.0002, -0.00015, 0.0001, 5.0034640497930047e-09, 1001}},
      {"RBEN, L=0.5, K1=0.5, K2=50, FSE=0.1",
       {0.0008, 0.0002, -0.00015, 0.0001, 5.0034640497930047e-09, 1001}},
      {"SBEN, L=0.5, ANGLE=1e-9, K1=0.3",
       {0.000698702623187035, 0.000118561291724874, -0.000202431161805173, 5.82512173187582e-05,
        5.0034639809626227e-09, 1001}},
      {"SBEN, L=0.5, ANGLE=1e-9",
       {0.000800000001219412, 0.000200000000975276, -0.000149999999984963, 0.000100000000011869,
        5.0034640497948386e-09, 1001}},
      {"CSRCSBEND, L=0.5, K1=0.5, CSR=0, BINS=10",
       {0.0008, 0.0002, -0.00015, 0.0001, 5.0034640497930031e-09, 1001}},
      {"CSBEND, L=0.5, ANGLE=1e-8, K1=0.5",
       {0.000632386949158289, 6.5350409844618e-05, -0.000238064580388266, 2.9815224376083e-05,
        5.0034639533485082e-09, 1001}},
  });
}

TEST_CASE("displacements along the axis change phases and times of pulses", "[io][elegant]") {
  io::Table waveform{"waveform",
                     {{"t", "s", io::ColumnType::float64}, {"a", "", io::ColumnType::float64}}};
  waveform.add_row(0., 0.);
  waveform.add_row(2e-8, 1.);
  waveform.add_row(4e-8, 0.5);
  io::write_table(std::filesystem::temp_directory_path() / "w.sdds", waveform);
  check_recorded({
      {"RFDF, L=0.3, VOLTAGE=1e7, FREQUENCY=2.8e9, PHASE=20, DZ=5e-3",
       {0.0187225260328225, 0.0158866964865196, -0.000170098793940932, 9.99101174866561e-05,
        4.3367969175754398e-09, 1002.02693875098}},
      {"RFDF, L=0.3, VOLTAGE=1e7, FREQUENCY=2.8e9, PHASE=90, DZ=-5e-2, STANDING_WAVE=1, TILT=0.3, "
       "DX=1e-3",
       {0.000785257027121534, 0.00044935896465252, -0.000162189343813796, 0.000177133941638593,
        4.3363362800787649e-09, 1001.04800872834}},
      {"BUMPER, L=0.3, ANGLE=1e-3, WAVEFORM=\"w.sdds=t+a\", DZ=3",
       {-0.000164693310723054, 0.000699834217432263, -0.00017, 0.0001, 4.336334096238285e-09,
        1001}},
      {"MBUMPER, L=0.3, STRENGTH=2, ORDER=1, WAVEFORM=\"w.sdds=t+a\", DZ=3",
       {0.00137724783488288, -0.000133607961923897, -0.00017861094191626, 0.000104527517298965,
        4.3363355648587539e-09, 1001}},
      {"BUMPER, L=0.3, ANGLE=1e-3, WAVEFORM=\"w.sdds=t+a\"",
       {0.00076, 0.0002, -0.00017, 0.0001, 4.3363355098206035e-09, 1001}},
  });
}

TEST_CASE("bends have the fringe fields and errors of elegant's", "[io][elegant]") {
  check_recorded({
      {"CSBEND, L=0.5, ANGLE=0.2, TILT=0.4, ETILT=0.02, ETILT_SIGN=-1",
       {-0.000896830200545268, -0.00115685193186483, 0.00452376290461585, 0.00383638982440902,
        5.0037777657714052e-09, 1001}},
      {"SBEN, L=0.5, ANGLE=0.2, ETILT=0.02, ETILT_SIGN=-1",
       {0.00104211265449059, 0.000393265605767195, 0.00481590973727238, 0.00407005558887299,
        5.00387775828143e-09, 1001}},
      {"CSBEND, L=0.5, ANGLE=0.2, E1=0.1, E2=0.05, HGAP=0.02, FINT1=0.3, FINT2=0.6",
       {0.00103703046732358, 0.000387786140657391, -0.000128885826258345, 0.000115382043963038,
        5.0038415797214899e-09, 1001}},
      {"CSBEND, L=0.5, ANGLE=0.2, E1=0.1, E2=0.05, HGAP=0.02, FINT2=0.6",
       {0.00103703047820677, 0.000387786149366545, -0.000129471329448584, 0.000114992794069443,
        5.0038415794996053e-09, 1001}},
      {"CSBEND, L=0.5, ANGLE=0.2, K1=0.4, K2=3, FSE=1e-3, FSE_DIPOLE=2e-3, FSE_QUADRUPOLE=5e-2",
       {0.000123274398319147, -0.000341028678995515, -0.000224095779670126, 4.09636125475207e-05,
        5.0037965030136218e-09, 1001}},
      {"CSBEND, L=0.5, ANGLE=-0.2, K1=0.4, K2=3, E1=0.1, FSE_DIPOLE=2e-3",
       {0.000828341623227433, 0.000225747296260345, -0.000239251826657705, 3.12098764613899e-05,
        5.0030933814537812e-09, 1001}},
  });
}
