import type { NextApiRequest, NextApiResponse } from "next";

/** The process serves. */
export default function healthz(request: NextApiRequest, response: NextApiResponse): void {
  response.setHeader("Cache-Control", "no-store");
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("Allow", "GET, HEAD");
    response.status(405).json({ status: "method not allowed" });
    return;
  }
  response.status(200).json({ status: "ok" });
}
