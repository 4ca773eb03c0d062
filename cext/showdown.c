#include "gin.h"

sv_table sv_laid(sv_cards hand, sv_cards sets) {
    sv_cards d = sets >> 13, h = sets >> 26, s = sets >> 39;
    sv_cards any = (sets | d | h | s) & SV_SUIT, all = sets & d & h & s & SV_SUIT;
    sv_table table = {SV_RANK * (any & ~all) & ~sets, sv_runs(hand & ~sets)};
    return table;
}

/* What is left when `rest` is chained to runs and then melded in runs. Taking every card of a chain is best: what it
 * leaves touches none of them, so no run is lost. */
SV_INLINE int left_of(sv_cards rest, sv_cards runs) { return sv_without_sets(rest & ~sv_chained(runs, rest)); }

/* The next subset of `of` after `subset`; the empty one comes after the last. */
SV_INLINE sv_cards next_subset(sv_cards subset, sv_cards of) { return (subset - of) & of; }

SV_INLINE int choices_of(sv_cards hand, sv_cards *choices) {
    uint32_t ranks = sv_set_ranks(hand);
    choices[0] = 0;
    return ranks == 0 ? 1 : sv_set_choices(hand, ranks, choices);
}

sv_defence sv_defend(sv_cards hand, sv_table table) {
    sv_cards choices[SV_MOST_CHOICES], fourth = table.fourth & hand;
    int n = choices_of(hand, choices);
    sv_defence best = {1000, 0, 0, 0};
    for (int i = 0; i < n; i++) {
        sv_cards onto = 0;
        do {
            int deadwood = left_of(hand & ~choices[i] & ~onto, table.runs);
            if (deadwood < best.deadwood)
                best.deadwood = deadwood, best.sets = choices[i], best.onto_sets = onto;
            onto = next_subset(onto, fourth);
        } while (onto != 0);
    }
    best.onto_runs = sv_chained(table.runs, hand & ~best.sets & ~best.onto_sets);
    return best;
}

/* Lays off from `loose` as many points as can be: the cards that go on sets, and those that go on runs. */
static void lay_off(sv_cards loose, sv_table table, sv_cards *onto_sets, sv_cards *onto_runs) {
    sv_cards fourth = table.fourth & loose, onto = 0;
    int most = -1;
    do {
        sv_cards chained = sv_chained(table.runs, loose & ~onto);
        int points = sv_points(onto | chained);
        if (points > most)
            most = points, *onto_sets = onto, *onto_runs = chained;
        onto = next_subset(onto, fourth);
    } while (onto != 0);
}

sv_defence sv_defend_in_order(sv_cards hand, sv_table table) {
    sv_cards choices[SV_MOST_CHOICES], onto = 0, chained = 0;
    int n = choices_of(hand, choices), least = sv_deadwood(hand);
    sv_defence best = {1000, 0, 0, 0};
    for (int i = 0; i < n; i++) {  /* meld first; of melds that leave as little, those that lay off best */
        sv_cards rest = hand & ~choices[i];
        if (sv_without_sets(rest) != least)
            continue;
        sv_cards loose = rest & ~sv_runs(rest);
        lay_off(loose, table, &onto, &chained);
        int deadwood = sv_points(loose & ~onto & ~chained);
        if (deadwood < best.deadwood)
            best = (sv_defence){deadwood, choices[i], onto, chained};
    }
    lay_off(hand, table, &onto, &chained);
    sv_cards rest = hand & ~onto & ~chained;
    int deadwood = sv_deadwood(rest);
    if (deadwood >= best.deadwood)
        return best;
    n = choices_of(rest, choices);
    for (int i = 0; i < n; i++)
        if (sv_without_sets(rest & ~choices[i]) == deadwood)
            best = (sv_defence){deadwood, choices[i], onto, chained};
    return best;
}

int sv_showdown(sv_cards knocker, sv_cards defender, int two_order, int *of_knocker, int *of_defender,
                sv_cards *sets) {
    sv_cards choices[SV_MOST_CHOICES];
    int n = choices_of(knocker, choices);
    *of_knocker = sv_deadwood(knocker), *of_defender = -1;
    for (int i = 0; i < n; i++) {
        if (n > 1 && sv_without_sets(knocker & ~choices[i]) != *of_knocker)
            continue;
        int deadwood;
        if (*of_knocker == 0)
            deadwood = sv_deadwood(defender);
        else if (two_order)
            deadwood = sv_defend_in_order(defender, sv_laid(knocker, choices[i])).deadwood;
        else
            deadwood = sv_defend(defender, sv_laid(knocker, choices[i])).deadwood;
        if (deadwood > *of_defender)
            *of_defender = deadwood, *sets = choices[i];
        if (*of_knocker == 0)
            break;
    }
    return sv_score(*of_knocker, *of_defender);
}
