/* The machine's own speed at the kernel's two operations: additions and maxima of vectors of doubles.
 * `from_cache`: two loads, the operation and a store, over rows of 8 doubles that lie in the first-level cache;
 * `in_registers`: eight independent chains, no memory. Each returns operations on doubles per second. */
#include <stddef.h>
#include <time.h>

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
#define CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define CLONES
#endif

enum { N = 1024, ROUNDS = 200000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

CLONES static void add_rows(double *restrict out, const double *restrict a, const double *restrict b)
{
    for (int i = 0; i < N; i++)
        out[i] = a[i] + b[i];
}

/* a function, so that both operands are loaded before they are compared */
static inline double better(double a, double b)
{
    return a > b ? a : b;
}

CLONES static void max_rows(double *restrict out, const double *restrict a, const double *restrict b)
{
    for (int i = 0; i < N; i++)
        out[i] = better(a[i], b[i]);
}

double from_cache(int maxima)
{
    /* not at the same place of their pages: a load may wait for a store 4096 bytes away */
    static _Alignas(64) double memory[3 * N + 256];
    double *a = memory, *b = memory + N + 64, *out = memory + 2 * N + 192;
    void (*volatile rows)(double *, const double *, const double *) = maxima ? max_rows : add_rows;
    double start;
    for (int i = 0; i < N; i++)
        a[i] = i, b[i] = N - i;
    start = now();
    for (int r = 0; r < ROUNDS; r++)
        rows(out, a, b);
    return (double)N * ROUNDS / (now() - start);
}

CLONES double in_registers(void)
{
    enum { CHAINS = 8, LANES = 8, TURNS = 20000000 };
    double x[CHAINS][LANES];
    volatile double sink = 0;
    double start;
    for (int c = 0; c < CHAINS; c++)
        for (int l = 0; l < LANES; l++)
            x[c][l] = c + l;
    start = now();
    for (int t = 0; t < TURNS / CHAINS; t++)
        for (int c = 0; c < CHAINS; c++)
            for (int l = 0; l < LANES; l++)
                x[c][l] += 1.5;
    start = now() - start;
    for (int c = 0; c < CHAINS; c++)
        for (int l = 0; l < LANES; l++)
            sink += x[c][l];
    return (double)TURNS * LANES / start;
}
