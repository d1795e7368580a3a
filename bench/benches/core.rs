//! The core's cases, timed by criterion: `cargo bench -p toolgate-bench`.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion};
use toolgate_bench::CASES;

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    for case in CASES {
        let mut group = criterion.benchmark_group(case.name);
        group.sample_size(10);
        for size in case.sizes {
            if let Some(mut work) = (case.prepare)(size) {
                group.bench_function(BenchmarkId::from_parameter(size), |bencher| {
                    bencher.iter(|| black_box(work()));
                });
            }
        }
        group.finish();
    }
    criterion.final_summary();
}
