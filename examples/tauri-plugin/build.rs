//! Tells Tauri the plugin's commands, so that an application's capabilities can allow them.

fn main() {
    tauri_plugin::Builder::new(&["request"]).build();
}
