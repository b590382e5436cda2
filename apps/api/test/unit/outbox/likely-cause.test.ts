import { LIKELY_CAUSES, type LikelyCause } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import { findLikelyCause } from "../../../src/events/outbox/likely-cause.js";

const ofStatus = (httpStatus: number, answerStart = "") =>
  findLikelyCause({ errorKind: "status", httpStatus, answerStart });
const textOf = (name: LikelyCause, status = 0) => LIKELY_CAUSES[name].replace("{status}", String(status));

describe("likely cause of a failed attempt", () => {
  it.each(["dns", "tls", "timeout", "refused_address", "connection", "no_key"] as const)(
    "explains the error %s",
    (errorKind) => {
      expect(findLikelyCause({ errorKind, httpStatus: null })).toBe(textOf(errorKind));
    },
  );

  it("explains a redirect", () => {
    expect(findLikelyCause({ errorKind: "redirect", httpStatus: 301 })).toBe(textOf("redirect"));
  });

  it.each([400, 401, 403, 404, 405, 410, 413, 415, 429] as const)("explains status %i", (status) => {
    expect(ofStatus(status)).toBe(textOf(`status_${status}`));
  });

  it.each([
    [499, "other_status"],
    [500, "server_error"],
    [599, "server_error"],
  ] as const)("explains status %i with the cause %s, whose text contains the status", (status, name) => {
    expect(ofStatus(status)).toBe(textOf(name, status));
    expect(ofStatus(status)).toContain(String(status));
  });

  it("recognizes a web page, in any letter case and after whitespace", () => {
    const page = LIKELY_CAUSES.web_page;
    expect(ofStatus(500, "\n <!DOCTYPE html><html>")).toBe(`${textOf("server_error", 500)} ${page}`);
    expect(ofStatus(404, "<HTML>")).toBe(`${textOf("status_404")} ${page}`);
    expect(ofStatus(500, '{"error": "<html>"}')).toBe(textOf("server_error", 500));
  });

  it("is null for a delivered event", () => {
    expect(findLikelyCause({ errorKind: null, httpStatus: 204 })).toBeNull();
  });
});
