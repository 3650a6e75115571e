import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { compressed } from "./tools/compressed.ts";
import { icons } from "./tools/icons.ts";

export default defineConfig({
  plugins: [svelte(), icons(), compressed()],
  build: {
    // Says which file needs which, for the test of what a first visit loads.
    manifest: true,
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        chunkFileNames: ({ name }) => `assets/${name.split("~")[0]}-[hash].js`,
        // A browser has six connections to the edge: what several views need comes in few files.
        codeSplitting: {
          groups: [{ name: "shared", minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 24_000 }],
        },
      },
    },
    cssCodeSplit: false,
    target: "es2022",
    // Nothing is inlined: the policy of the page allows no inline script, and data: only for pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  test: { include: ["src/**/*.test.ts"] },
});
