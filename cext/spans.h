/* Values along an axis of points, for objectives that look at the final total.
 *
 * The axis is the points still needed: to reach a target, or the greatest total a utility tells apart. Writing s points
 * moves along it by s, whatever the box. A *row* is a sheet (lower, upper, lane of the upper total; sheet.h), numbered
 * lower * slots + slot[upper] + lane, and its values stand for needs low .. low + width - 1: with fewer the first holds,
 * with more the last, since play cannot change what is decided.
 */
#ifndef SERVIDA_SPANS_H
#define SERVIDA_SPANS_H

#include "sheet.h"

typedef struct {
    const void *values;            /* float or double */
    int is_float;
    const int64_t *start;          /* per row: the place of its first value */
    const int32_t *low, *width;    /* per row */
} sv_spans;

static inline double sv_number(const void *numbers, int is_float, int64_t place)
{
    return is_float ? ((const float *)numbers)[place] : ((const double *)numbers)[place];
}

/* What is aimed at. */
typedef struct {
    double win;                    /* what winning at once is worth */
    int strict;                    /* more points may be worth less: nothing may be left out as dominated */
    int top;                       /* the total that need 0 stands for; -1 when needs are counted from any total */
} sv_aim;

/* An outcome in use, and where its values come from: need n leads to need n - shift of a row. */
typedef struct {
    int outcome, shift, scratch;   /* scratch: any roll may be written so */
    int64_t row;
    int low, width;                /* these three are set by sv_place_sources */
    int64_t start;
} sv_span_source;

/* Outcomes of a turn when bonuses for further fives are points like others: those with the bonus follow the rest. */
size_t sv_span_outcomes(const sv_game *g);
/* What a turn may be written as (turn.h), so counted. */
void sv_span_choose(const sv_game *g, const sv_sheet *s, const sv_aim *aim, sv_choices *c);
/* The sources of a turn from a sheet, one row each; returns how many. */
int sv_span_sources(const sv_game *g, const sv_aim *aim, const sv_sheet *s, int lane, sv_span_source *list);
/* Where their values lie: at row begin + step * index[row] of the spans (index NULL: at the row itself). */
void sv_place_sources(const sv_spans *spans, const int32_t *index, int64_t begin, int64_t step, sv_span_source *list,
                      int n);
/* The needs from the first to the last that some source tells apart: low, returns how many. */
int sv_source_bounds(const sv_span_source *list, int n, int *low);
/* The outcomes' values for eight needs. */
void sv_load_spans(const sv_spans *spans, const sv_aim *aim, const sv_span_source *list, int n, const int *needs,
                   double *outcomes);
/* The needs for which play still decides, the one before and the one after included: low, returns how many. */
int sv_span_bounds(const sv_game *g, const sv_spans *spans, const sv_aim *aim, int64_t lower, int upper, int lane,
                   int *low, double *memory);
/* Solves `width` needs from `low` on: row[i] = the value with need low + i. */
void sv_solve_span(const sv_game *g, const sv_spans *spans, const sv_aim *aim, int64_t lower, int upper, int lane,
                   int low, int width, double *row, double *memory);
/* The same for a turn whose sources have been placed; `room` is aligned. */
void sv_solve_needs(const sv_game *g, const sv_spans *spans, const sv_aim *aim, const sv_choices *choices,
                    const sv_span_source *list, int n, int low, int width, double *row, double *room);
/* Drops values at both ends that are within `margin` of the end's; returns how many stay from *begin on, the first and
 * last of them those of the ends. */
int sv_trim_span(double *row, int width, double margin, int *begin);
/* Doubles of working memory for the functions above. */
size_t sv_span_memory(const sv_game *g);

#endif
