import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { startI18n } from "./i18n/i18n.svelte";

await startI18n();
mount(App, { target: document.getElementById("app")! });
