// What the bundler makes of files that are no code.

/** The address of the file. */
declare module "*.wasm" {
  const url: string;
  export default url;
}
