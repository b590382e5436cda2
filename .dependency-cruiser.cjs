/** The import directions of ARCHITECTURE.md, held by `npm run lint`. */
const between = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    between("no-cycles", "A cycle hides which module owns what.", {}, { circular: true }),
    between(
      "packages-never-import-rooms",
      "Packages are below the applications and the plugins.",
      { path: "^packages/" },
      { path: "^(apps|plugin|stack|e2e|bench)/" },
    ),
    between(
      "apps-never-import-each-other",
      "Applications talk over HTTP.",
      { path: "^apps/([^/]+)/" },
      { path: "^(apps/(?!$1/)|plugin/|stack/|e2e/)" },
    ),
    between(
      "plugin-imports-published-packages-only",
      "The connector is what a shop installs: it may use client, webhooks, money, contract, qr, migrate and service, nothing else.",
      { path: "^plugin/" },
      { path: "^(apps|stack|e2e)/|^packages/(?!(client|webhooks|money|contract|qr|migrate|service)/)" },
    ),
    between(
      "only-the-api-opens-its-database",
      "packages/database is for the api and for what sets a system up (stack).",
      { path: "^(apps/(?!api/)|packages/(?!database/)|plugin/)" },
      { path: "^packages/database/" },
    ),
    between(
      "nothing-imports-the-bench",
      "The bench measures the product from outside.",
      { path: "^(apps|packages|plugin|stack|e2e|scripts)/" },
      { path: "^bench/" },
    ),
    between(
      "edges-hold-no-sql",
      "A route calls one operation; SQL lives behind operations.",
      { path: "^apps/api/src/http/", pathNot: "^apps/api/src/http/shared/" },
      { path: "node_modules/(pg|@prisma)/" },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|\\.next|generated|node_modules/(?!@tillgate))/" },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["types", "import", "default"] },
  },
};
