// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The common elements: drifts, magnets, apertures and others with few parameters, in m and rad,
/// with the defaults of elegant. See element.hpp for the interface.

#include <trackplex/beam/elements/bend.hpp>
#include <trackplex/beam/elements/canonical_quadrupole.hpp>
#include <trackplex/beam/elements/canonical_sextupole.hpp>
#include <trackplex/beam/elements/charge.hpp>
#include <trackplex/beam/elements/collimator.hpp>
#include <trackplex/beam/elements/drift.hpp>
#include <trackplex/beam/elements/exact_drift.hpp>
#include <trackplex/beam/elements/expanded_drift.hpp>
#include <trackplex/beam/elements/kicker.hpp>
#include <trackplex/beam/elements/map_element.hpp>
#include <trackplex/beam/elements/marker.hpp>
#include <trackplex/beam/elements/max_amplitude.hpp>
#include <trackplex/beam/elements/monitor.hpp>
#include <trackplex/beam/elements/octupole.hpp>
#include <trackplex/beam/elements/quadrupole.hpp>
#include <trackplex/beam/elements/scraper.hpp>
#include <trackplex/beam/elements/sextupole.hpp>
#include <trackplex/beam/elements/solenoid.hpp>
#include <trackplex/beam/elements/solenoid_field.hpp>
