import { createHash } from "node:crypto";
import path from "node:path";
import { build } from "esbuild";

/** Modules provided by WordPress and WooCommerce: their global and script handle. */
const provided = {
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
 * Bundles a script of the plugin. Modules provided by WordPress are external, because a second React would break the checkout.
 * @param {string} packageFolder folder of this package
 * @param {string} name one of bundleNames
 * @returns {Promise<{script: string, asset: string, modules: string[]}>} the script, its `.asset.php` file, and the bundled modules
 */
export async function bundle(packageFolder, name) {
  const handles = new Set();
  const globals = {
    name: "wordpress-globals",
    setup(context) {
      context.onResolve({ filter: /^(react|react-dom|@wordpress\/|@woocommerce\/)/ }, ({ path: name }) => {
        if (provided[name] === undefined)
          throw new Error(`No handle is listed for ${name}. Add it to plugin/woocommerce/build/bundles.mjs.`);
        handles.add(provided[name].handle);
        return { path: name, namespace: "provided" };
      });
      context.onLoad({ filter: /.*/, namespace: "provided" }, ({ path: name }) => ({
        contents: `module.exports = window.${provided[name].global};`,
      }));
    },
  };
  const { outputFiles, metafile } = await build({
    absWorkingDir: packageFolder,
    entryPoints: [path.join(packageFolder, "client", `${name}.ts`)],
    bundle: true,
    write: false,
    metafile: true,
    format: "iife",
    platform: "browser",
    target: "es2020",
    minify: true,
    // Keeps non-ASCII texts readable for translation tools.
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
