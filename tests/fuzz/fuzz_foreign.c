/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_foreign.c: any bytes as another tool's table, as CSV and as JSON, with and without a map. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compare/comparison.h"
#include "compare/foreign.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was read is compared with itself: every row has a place, and none is slower. */
static void use(om_side *side)
{
    om_comparison comparison;
    om_error err;
    om_compare_options options = {.threshold = 0.05};
    if (om__comparison_init(side, side, &options, &comparison, &err) != OM_OK)
        return;
    size_t all = 0;
    for (int v = 0; v < OM_VERDICT_COUNT; v++)
        all += comparison.counts[v];
    if (all != comparison.cell_count || comparison.counts[OM_VERDICT_SLOWER] > 0 ||
        comparison.counts[OM_VERDICT_MISSING] > 0)
        abort();
    om__comparison_release(&comparison);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const maps[] = {NULL, "case=case,value=ms params=* unit=us"};
    char path[64];
    int file = memfd_create("input", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    for (int form = 0; form < 8; form++) {
        om_side side = {.label = "input", .foreign = true};
        om_side_options options = {.map = maps[form % 2], .lenient = form % 4 > 1};
        om_error err = {0};
        om_status status = form < 4 ? om__foreign_read_csv(path, &options, &side.set, &err)
                                    : om__foreign_read_json(path, &options, &side.set, &err);
        if (status == OM_OK)
            use(&side);
        else if (err.text[0] == '\0')
            abort();
        om__record_set_release(&side.set);
    }
    close(file);
    return 0;
}
