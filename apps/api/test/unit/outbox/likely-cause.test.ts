import { describe, expect, it } from "vitest";
import { likelyCause } from "../../../src/events/outbox/likely-cause.js";

const ofStatus = (httpStatus: number, answerStart = "") =>
  likelyCause({ errorKind: "status", httpStatus, answerStart });

describe("the likely cause of a failed attempt", () => {
  it.each([
    ["dns", /does not resolve/],
    ["tls", /certificate/],
    ["timeout", /in time/],
    ["refused_address", /public internet/],
    ["connection", /server running/],
    ["no_key", /Create a credential/],
  ])("%s is said in words", (errorKind, words) => {
    expect(likelyCause({ errorKind, httpStatus: null })).toMatch(words);
  });

  it("a redirect is explained as one, whatever its status", () => {
    expect(likelyCause({ errorKind: "redirect", httpStatus: 301 })).toMatch(/redirects/);
  });

  it.each([
    [400, /JSON/],
    [401, /signature.*secret the current one/],
    [403, /secret the current one.*firewall/],
    [404, /path right/],
    [405, /POST/],
    [410, /gone for good/],
    [413, /too large/],
    [415, /application\/json/],
    [429, /rate limit/],
    [499, /answers 499 instead of 2xx/],
    [500, /error of its own \(500\)/],
    [599, /error of its own \(599\)/],
  ])("status %i is said in words", (status, words) => {
    expect(ofStatus(status)).toMatch(words);
  });

  it("a web page as an answer is named, in any capitals and after blanks", () => {
    expect(ofStatus(500, "\n <!DOCTYPE html><html>")).toMatch(/error of its own.*web page/);
    expect(ofStatus(404, "<HTML>")).toMatch(/path right.*web page/);
    expect(ofStatus(500, '{"error": "<html>"}')).not.toMatch(/web page/);
  });

  it("of a success there is none", () => {
    expect(likelyCause({ errorKind: null, httpStatus: 204 })).toBeNull();
  });
});
