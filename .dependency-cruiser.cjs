/** Import directions of ARCHITECTURE.md, enforced by `npm run lint`. */
const between = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

/** Entry points of the API; only main imports them. */
const API_EDGES = ["http", "cli", "jobs", "processes"];
/** Folders of the API, from top to bottom: each imports only later ones. */
const API_FOLDERS = [
  "reports",
  "sandbox",
  "administration",
  "checkout",
  "money",
  "events",
  "mail",
  "identity",
  "audit",
  "ledger",
  "pagination",
  "metrics",
  "platform",
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    between("no-cycles", "A cycle hides which module owns what.", {}, { circular: true }),
    between(
      "packages-never-import-applications",
      "Packages are below the applications and the plugins.",
      { path: "^packages/" },
      { path: "^(apps|plugin|stack|e2e|bench|drill)/" },
    ),
    between(
      "apps-never-import-each-other",
      "Applications communicate only over HTTP.",
      { path: "^apps/([^/]+)/" },
      { path: "^(apps/(?!$1/)|plugin/|stack/|e2e/)" },
    ),
    between(
      "plugins-import-what-can-be-installed",
      "The connector is what a shop installs: it may use client and webhooks, which are published, and money, contract, qr, migrate and service, which its build puts into it.",
      { path: "^plugin/" },
      { path: "^(apps|stack|e2e)/|^packages/(?!(client|webhooks|money|contract|qr|migrate|service)/)" },
    ),
    between(
      "only-the-api-opens-its-database",
      "packages/database is for the API and for the stack, which sets up a system.",
      { path: "^(apps/(?!api/)|packages/(?!database/)|plugin/)" },
      { path: "^packages/database/" },
    ),
    // The contract, from the top: the OpenAPI document, console, checkout, public APIs; errors and fields are below all of them.
    between(
      "the-public-apis-are-below-the-console",
      "The console and the checkout extend what the public APIs define.",
      { path: "^packages/contract/src/public/" },
      { path: "^packages/contract/src/(checkout|console|openapi)/" },
    ),
    between(
      "the-checkout-is-below-the-console",
      "The console shows orders and wallets as the checkout has them.",
      { path: "^packages/contract/src/checkout/" },
      { path: "^packages/contract/src/(console|openapi)/" },
    ),
    between(
      "errors-and-fields-are-the-base-of-the-contract",
      "Every schema uses them; they import none.",
      { path: "^packages/contract/src/(errors/|fields|envelope|limits)" },
      { path: "^packages/contract/src/(public|checkout|console|openapi)/" },
    ),
    between(
      "nothing-imports-the-bench-or-the-drill",
      "They test the running product from outside.",
      { path: "^(apps|packages|plugin|stack|e2e|scripts)/" },
      { path: "^(bench|drill)/" },
    ),
    between(
      "edges-hold-no-sql",
      "A route calls one operation; SQL lives behind operations.",
      { path: "^apps/api/src/http/", pathNot: "^apps/api/src/http/shared/" },
      { path: "node_modules/(pg|@prisma)/" },
    ),
    ...API_FOLDERS.map((folder, level) =>
      between(
        `api-${folder}-uses-what-is-below-it`,
        `Folders of the API, from the top: ${API_FOLDERS.join(", ")}.`,
        { path: `^apps/api/src/${folder}/` },
        { path: `^apps/api/src/(main\\.ts|(${[...API_EDGES, ...API_FOLDERS.slice(0, level)].join("|")})/)` },
      ),
    ),
    between(
      "api-edges-meet-below",
      "APIs, commands and jobs share operations but never import each other; APIs share http/shared.",
      { path: `^apps/api/src/(http/(?!shared/)[^/]+|cli|jobs|processes)/` },
      {
        path: "^apps/api/src/(main\\.ts|(http|cli|jobs|processes)/)",
        pathNot: "^apps/api/src/(http/shared|$1)/",
      },
    ),
    between(
      "the-context-of-the-api-is-its-base",
      "The process context imports none of its users.",
      { path: "^apps/api/src/(context|config|settings|errors)\\.ts" },
      { path: "^apps/api/src/(?!platform/|metrics/)[^/]+/" },
    ),
    // The layers of the hosted page: pages, steps, views, http, internal-api. The browser's script imports no server code.
    between(
      "pages-are-the-top-of-pay",
      "Steps decide, views render; neither imports a page.",
      { path: "^apps/pay/src/(?!pages/)" },
      { path: "^apps/pay/src/pages/" },
    ),
    between(
      "views-and-http-import-no-step",
      "A view renders what a step has decided.",
      { path: "^apps/pay/src/(views|http|internal-api|browser)/" },
      { path: "^apps/pay/src/steps/" },
    ),
    between(
      "the-internal-api-is-the-base-of-pay",
      "It calls the API and imports neither requests nor views.",
      { path: "^apps/pay/src/internal-api/" },
      { path: "^apps/pay/src/(http|views|browser)/" },
    ),
    between(
      "the-browsers-script-is-independent",
      "Everything it imports is sent to every shopper.",
      { path: "^apps/pay/src/browser/" },
      { path: "^apps/pay/src/(http|internal-api|views)/" },
    ),
    // The layers of the console: pages, server (what runs before a page is rendered), views, http and internal-api.
    between(
      "pages-are-the-top-of-the-console",
      "Views render, internal-api calls the API; neither imports a page.",
      { path: "^apps/dashboard/src/(?!pages/)" },
      { path: "^apps/dashboard/src/pages/" },
    ),
    between(
      "views-of-the-console-only-render",
      "A view renders what a page has read.",
      { path: "^apps/dashboard/src/(views|texts)/" },
      { path: "^apps/dashboard/src/(internal-api|(http|pages)/)" },
    ),
    between(
      "the-internal-api-is-the-base-of-the-console",
      "It calls the API and imports neither requests nor views.",
      { path: "^apps/dashboard/src/internal-api" },
      { path: "^apps/dashboard/src/(http|server|views|browser)/" },
    ),
    between(
      "the-consoles-script-is-independent",
      "Everything it imports is sent to every browser.",
      { path: "^apps/dashboard/src/browser/" },
      { path: "^apps/dashboard/src/(internal-api|(http|server|views)/)" },
    ),
    // The layers of the demo shop, from the top: start-up, pages and REST, orders and other subjects, database.
    between(
      "shop-pages-and-rest-are-above-orders",
      "In the demo shop, pages and REST routes import orders, carts, catalogue, payments and webhooks, never the other way round.",
      { path: "^apps/store/src/(orders|carts|catalogue|payments|webhooks|database)/" },
      { path: "^apps/store/src/(shop|owner|rest)/" },
    ),
    between(
      "shop-database-is-the-base",
      "The demo shop's database layer imports none of its subjects.",
      { path: "^apps/store/src/database/" },
      { path: "^apps/store/src/(orders|carts|catalogue|payments|webhooks)/" },
    ),
    between(
      "shop-pages-never-import-rest",
      "The demo shop's pages and its REST API are independent.",
      { path: "^apps/store/src/(shop|owner)/" },
      { path: "^apps/store/src/rest/" },
    ),
    between(
      "shop-rest-never-imports-pages",
      "The demo shop's pages and its REST API are independent.",
      { path: "^apps/store/src/rest/" },
      { path: "^apps/store/src/(shop|owner)/" },
    ),
    between(
      "shop-layers-never-import-start-up",
      "Only the demo shop's entry points wire its layers.",
      { path: "^apps/store/src/[^/]+/" },
      { path: "^apps/store/src/(main|index|start-store|http-application)\\.ts$" },
    ),
    // The layers of the connector, from the top: entry points, payments, health, records and store.
    between(
      "connector-base-layers-are-independent",
      "Records and the store's client import nothing of their users.",
      { path: "^plugin/connector/src/(records|store)/" },
      { path: "^plugin/connector/src/(?!$1/)" },
    ),
    between(
      "connector-health-is-below-payments",
      "Operations report to the health page, which never imports them.",
      { path: "^plugin/connector/src/health/" },
      { path: "^plugin/connector/src/(?!(health|records|store)/|connector-(error|log)\\.ts)" },
    ),
    between(
      "connector-payments-are-below-the-entry-points",
      "An operation depends on neither its caller nor the source of its settings.",
      { path: "^plugin/connector/src/payments/" },
      {
        path: "^plugin/connector/src/(?!(payments|health|records|store)/|(connector-error|connector-log|repair-labels|rules|settings)\\.ts)",
      },
    ),
    between(
      "connector-http-imports-no-base-layer",
      "HTTP routes call the connector; its database and store are chosen in wire.",
      { path: "^plugin/connector/src/http/" },
      {
        path: "^plugin/connector/src/(connect/|records/(sql|postgres|sqlite|open)|store/woo|main|wire|sweeping)",
      },
    ),
    between(
      "connector-set-up-is-independent",
      "The set-up checks the store and Tillgate before a connector exists.",
      { path: "^plugin/connector/src/connect/" },
      { path: "^plugin/connector/src/(http|payments|records|health|main|wire|connector|sweeping)" },
    ),
    between(
      "connector-sql-stays-in-records",
      "Only records use the database.",
      { path: "^plugin/connector/src/", pathNot: "^plugin/connector/src/records/" },
      { path: "node_modules/(kysely|pg|libsql)/" },
    ),
  ],
  options: {
    doNotFollow: { path: "(^|/)(node_modules|dist)/" },
    exclude: { path: "^(apps|packages|plugin|stack|e2e|bench)/[^/]+/(\\.next|src/generated)/" },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["types", "import", "default"] },
  },
};
