// What the bundler makes of files that are no code.

/** What an icon draws: the data of a path. */
declare module "lucide-static/icons/*.svg" {
  const path: string;
  export default path;
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
