import { expect, it } from "vitest";
import { isWebPage } from "../../../src/outbox/is-web-page.js";

it.each([
  "<!DOCTYPE html><title>Sign in</title>",
  "\n\t <html lang='fr'>",
  "<HTML>",
  "<head>",
  "<body class='x'>",
  "<h1>Not found</h1>",
  "<!-- theme -->\n<!-- <p> -- > -->\n<!doctype html>",
  "<!----><html>",
])("%j begins a web page", (start) => {
  expect(isWebPage(start)).toBe(true);
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
])("%j does not", (start) => {
  expect(isWebPage(start)).toBe(false);
});
