// What the bundler makes of files that are no code.

/** The inner markup of an icon. */
declare module "lucide-static/icons/*.svg" {
  const markup: string;
  export default markup;
}

/** The address of the file under its hashed name. */
declare module "*.wasm" {
  const url: string;
  export default url;
}

declare module "*.svg" {
  const url: string;
  export default url;
}

declare module "*.css";
