// The bridge's methods: what each takes and gives, as generated from Rust.

import type { BridgeMethods } from "../generated/types";

export type MethodName = keyof BridgeMethods;
export type Params<M extends MethodName> = BridgeMethods[M]["params"];
export type Result<M extends MethodName> = BridgeMethods[M]["result"];
