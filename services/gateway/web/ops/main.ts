import { mount } from "svelte";
import Ops from "./Ops.svelte";
import "./ops.css";

mount(Ops, { target: document.getElementById("app")! });
