// RUN: tile-opt %s -tile-set-stage="stage=layout partial=true" | FileCheck %s --check-prefix=PARTIAL
// RUN: tile-opt %s -tile-set-stage="stage=layout partial=true" -tile-set-stage="stage=schedule" | FileCheck %s --check-prefix=WHOLE

// PARTIAL: module attributes {tile.partial, tile.stage = "layout"}
// WHOLE: module attributes {tile.stage = "schedule"}
module attributes {tile.stage = "tile"} {
}
