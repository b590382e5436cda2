/** The page at `/docs/try`: the viewer that makes calls, half a megabyte of script. Everything on it comes from this address. */
export const TRY_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try the Tillgate API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<noscript><p>This page needs JavaScript. The same to read: <a href="/docs">/docs</a></p></noscript>
<main id="reference"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** Starts the viewer: operations folded, schemas below them, addresses that name an operation. */
export const START_SCRIPT = `SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  defaultModelRendering: "example",
  displayRequestDuration: true,
  filter: false,
  tryItOutEnabled: false,
  validatorUrl: null,
  withCredentials: false,
});
`;
