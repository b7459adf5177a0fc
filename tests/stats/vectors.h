/* SPDX-License-Identifier: Apache-2.0 */
/* vectors.h: reading the test vectors of the verdict statistics, and comparing with their numbers.
 */
#ifndef OM_TESTS_STATS_VECTORS_H
#define OM_TESTS_STATS_VECTORS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <json-c/json.h>

/* One vector at work: its name for messages, its tolerance, its two halves. */
typedef struct om_vector {
    const char *name;
    double tolerance;
    struct json_object *input, *expect;
} om_vector;

static inline struct json_object *get(struct json_object *object, const char *key)
{
    struct json_object *value = NULL;
    json_object_object_get_ex(object, key, &value);
    return value;
}

static inline bool has(struct json_object *object, const char *key)
{
    return json_object_object_get_ex(object, key, NULL);
}

/* null reads as NaN: no value. */
static inline double number(struct json_object *value)
{
    return value == NULL ? NAN : json_object_get_double(value);
}

/* A new array of the numbers of a JSON list; free() it. */
static inline double *numbers(struct json_object *list, size_t *count)
{
    *count = list == NULL ? 0 : json_object_array_length(list);
    double *values = malloc((*count + 1) * sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < *count; i++)
        values[i] = number(json_object_array_get_idx(list, i));
    return values;
}

/* tolerance is absolute for values below 1, relative above; two missing values agree. */
static inline void check_number(const om_vector *vector, const char *what, double got, double want)
{
    bool missing = isnan(want) && (isnan(got) || isinf(got));
    double allowed = vector->tolerance * fmax(1.0, fabs(want));
    if (missing || fabs(got - want) <= allowed)
        return;
    fail_msg("%s: %s is %.12g, not %.12g", vector->name, what, got, want);
}

static inline void check_numbers(const om_vector *vector, const char *what, const double *got,
                                 struct json_object *want)
{
    size_t count = json_object_array_length(want);
    for (size_t i = 0; i < count; i++) {
        char label[160];
        snprintf(label, sizeof label, "%s[%zu]", what, i);
        check_number(vector, label, got[i], number(json_object_array_get_idx(want, i)));
    }
}

/* Runs `check` on every vector of the kind; at least `fewest` must exist. */
static inline void for_each_vector(const char *kind, size_t fewest,
                                   void (*check)(const om_vector *vector))
{
    static struct json_object *file;
    size_t seen = 0;
    if (file == NULL)
        file = json_object_from_file(OM_SOURCE_DIR "/tests/stats/verdict-vectors.json");
    assert_non_null(file);
    struct json_object *cases = get(file, "cases");
    for (size_t i = 0; i < json_object_array_length(cases); i++) {
        struct json_object *item = json_object_array_get_idx(cases, i);
        if (strcmp(json_object_get_string(get(item, "kind")), kind) != 0)
            continue;
        om_vector vector = {json_object_get_string(get(item, "name")), number(get(item, "tol")),
                            get(item, "input"), get(item, "expect")};
        check(&vector);
        seen++;
    }
    if (seen < fewest)
        fail_msg("only %zu vectors of kind %s, not %zu", seen, kind, fewest);
}

#endif
