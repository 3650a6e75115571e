import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { startI18n } from "./i18n/i18n.svelte";
import { find } from "./routes";

// The view is fetched while the language is. If it can't be, that shows when it is drawn.
find(location.pathname)
  .load()
  .catch(() => undefined);
await startI18n();
mount(App, { target: document.getElementById("app")! });
