import { createHash } from "node:crypto";
import path from "node:path";
import { build } from "esbuild";

/** What WordPress and WooCommerce bring along: the global it is found in, and the script that brings it. */
const brought = {
  react: { global: "React", handle: "react" },
  "react-dom": { global: "ReactDOM", handle: "react-dom" },
  "react/jsx-runtime": { global: "ReactJSXRuntime", handle: "react-jsx-runtime" },
  "@wordpress/element": { global: "wp.element", handle: "wp-element" },
  "@wordpress/i18n": { global: "wp.i18n", handle: "wp-i18n" },
  "@wordpress/html-entities": { global: "wp.htmlEntities", handle: "wp-html-entities" },
  "@woocommerce/blocks-registry": { global: "wc.wcBlocksRegistry", handle: "wc-blocks-registry" },
  "@woocommerce/settings": { global: "wc.wcSettings", handle: "wc-settings" },
};

export const bundleNames = ["blocks", "receipt", "settings"];

/**
 * Bundles one script of the plugin. What WordPress brings is never bundled: a second React would break the checkout.
 *
 * @param {string} room the folder of the plugin
 * @param {string} name one of bundleNames
 * @returns {Promise<{script: string, asset: string, modules: string[]}>} the script, the PHP file that says what it needs,
 *   and the modules that are in it
 */
export async function bundle(room, name) {
  const handles = new Set();
  const globals = {
    name: "what-wordpress-brings",
    setup(context) {
      context.onResolve({ filter: /^(react|react-dom|@wordpress\/|@woocommerce\/)/ }, ({ path: name }) => {
        if (brought[name] === undefined) throw new Error(`Nobody brings ${name}.`);
        handles.add(brought[name].handle);
        return { path: name, namespace: "brought" };
      });
      context.onLoad({ filter: /.*/, namespace: "brought" }, ({ path: name }) => ({
        contents: `module.exports = window.${brought[name].global};`,
      }));
    },
  };
  const { outputFiles, metafile } = await build({
    absWorkingDir: room,
    entryPoints: [path.join(room, "client", `${name}.ts`)],
    bundle: true,
    write: false,
    metafile: true,
    format: "iife",
    platform: "browser",
    target: "es2020",
    minify: true,
    // Names of translation calls and texts with signs stay as they are, for tools that read scripts.
    charset: "utf8",
    legalComments: "eof",
    plugins: [globals],
    logLevel: "warning",
  });
  const script = outputFiles[0].text;
  const version = createHash("sha256").update(script).digest("hex").slice(0, 16);
  const list = [...handles].sort().map((handle) => `'${handle}'`);
  const asset = `<?php\n\nreturn ['dependencies' => [${list.join(", ")}], 'version' => '${version}'];\n`;
  return { script, asset, modules: Object.keys(metafile.inputs) };
}
