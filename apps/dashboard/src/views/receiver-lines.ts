/** A receiver to begin with, as one file without anything to install. It needs the secret of its endpoint. */
export const RECEIVER_LINES = `// receiver.mjs: TILLGATE_WEBHOOK_SECRET=whsec_… node receiver.mjs
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const key = Buffer.from(process.env.TILLGATE_WEBHOOK_SECRET.replace("whsec_", ""), "base64");

function isGenuine(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": signatures = "" } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(at)) <= 300)) return false;
  const signed = createHmac("sha256", key).update(\`\${id}.\${at}.\`).update(body).digest("base64");
  const expected = Buffer.from(\`v1,\${signed}\`);
  return signatures.split(" ").some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
  const { event, data } = JSON.parse(body.toString());
  console.log(event, data.order_id);
  response.end(JSON.stringify({ outcome: "applied" }));
}).listen(Number(process.env.PORT ?? 3000));`;
