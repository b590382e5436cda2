import { describe, expect, it } from "vitest";
import { isWebPage, startsLikeWebPage } from "../../../src/events/outbox/send-attempt.js";

it.each([
  "<!DOCTYPE html><title>Sign in</title>",
  "\n\t <html lang='fr'>",
  "<HTML>",
  "<head>",
  "<body class='x'>",
  "<h1>Not found</h1>",
  "<!-- theme -->\n<!-- <p> -- > -->\n<!doctype html>",
  "<!----><html>",
])("recognizes %j as the start of a web page", (start) => {
  expect(startsLikeWebPage(start)).toBe(true);
});

it.each([
  null,
  undefined,
  "",
  " ",
  "thank you",
  '{"page": "<html>"}',
  "<htmlx>",
  "<h10>",
  "<?xml version='1.0'?><html>",
  "<!-- never closed <html>",
  "<!--><html>",
  "<!-- one -->thank you",
])("does not recognize %j as the start of a web page", (start) => {
  expect(startsLikeWebPage(start)).toBe(false);
});

describe("response", () => {
  it.each([
    ["text/html", "<p>We'll be back soon</p>"],
    ["Text/HTML; charset=utf-8", "\n <!doctype html>"],
    ["application/xhtml+xml", "<?xml version='1.0'?><html>"],
    [undefined, "<!-- theme --><html>"],
  ])("is a web page if its type is %s and its body starts with %j", (type, start) => {
    expect(isWebPage(type, start)).toBe(true);
  });

  it.each([
    ["text/html", ""],
    ["text/html; charset=UTF-8", "OK"],
    ["text/plain", "<html>"],
    ["application/json", '{"page":"<html>"}'],
    [undefined, "thank you"],
    [undefined, ""],
  ])("is not a web page if its type is %s and its body starts with %j", (type, start) => {
    expect(isWebPage(type, start)).toBe(false);
  });
});
