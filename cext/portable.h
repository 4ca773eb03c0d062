/* The extensions of GCC the kernel uses for speed, and nothing in their place elsewhere (or with SERVIDA_PORTABLE). */
#ifndef SERVIDA_PORTABLE_H
#define SERVIDA_PORTABLE_H

/* Where the toolchain can, the functions marked so are compiled for several x86-64 levels and the best one is chosen
 * at load time. Every level does the same operations in the same order: only the speed differs. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) && !defined(SERVIDA_PORTABLE)
#include <features.h>
#endif
#if defined(__GLIBC__) && defined(__x86_64__) && !defined(__clang__) && !defined(SERVIDA_PORTABLE)
#define SV_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define SV_CLONES
#endif

/* Fetches what will be written soon, for memory that is not walked in order. */
#if defined(__GNUC__) && !defined(SERVIDA_PORTABLE)
#define SV_PREFETCH(address) __builtin_prefetch(address, 1)
#else
#define SV_PREFETCH(address) ((void)0)
#endif

/* Always: what stays a function of its own would be compiled for the lowest level only. */
#if defined(__GNUC__) && !defined(SERVIDA_PORTABLE)
#define SV_INLINE static inline __attribute__((always_inline))
#else
#define SV_INLINE static inline
#endif

/* A loop over lanes that cannot become vector code is at least not a loop. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(SERVIDA_PORTABLE)
#define SV_UNROLL _Pragma("GCC unroll 8")
#else
#define SV_UNROLL
#endif

/* Brings a cache line in, to be written. */
#if defined(__GNUC__) && !defined(SERVIDA_PORTABLE)
#define SV_FETCH(p) __builtin_prefetch(p, 1, 2)
#else
#define SV_FETCH(p) ((void)(p))
#endif

#endif
