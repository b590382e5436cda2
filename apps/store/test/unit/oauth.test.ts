import { describe, expect, it } from "vitest";
import { oauthSignature } from "../../src/rest/oauth.js";
import { asJson, parsePhpQuery } from "../../src/rest/php-query.js";

const signed = (query: string) =>
  oauthSignature({
    method: "get",
    address: "http://shop.example/wp-json/wc/v3/orders",
    parameters: parsePhpQuery(query),
    algorithm: "sha256",
    consumerSecret: "cs_secret",
  });

describe("an OAuth signature", () => {
  it("is the one that RFC 5849 gives", () => {
    // openssl dgst -sha256 -hmac 'cs_secret&' of a base string written by hand, ending in &page%3D2%26search%3Da%2520b%2521
    expect(signed("search=a%20b!&page=2")).toBe("G21k1+UNj+/oOOrJp3/z/dvbED4fG8zOpjyAULWWHdA=");
  });

  it("does not depend on the order of the parameters", () => {
    expect(signed("a=1&b=2")).toBe(signed("b=2&a=1"));
  });

  it("leaves itself out", () => {
    expect(signed("a=1&oauth_signature=x")).toBe(signed("a=1"));
  });

  it("takes a list as PHP does: with its numbers", () => {
    expect(signed("include[]=1&include[]=2")).toBe(signed("include[0]=1&include[1]=2"));
  });

  for (const other of ["a=2", "a=1&b=2", "a[]=1", "A=1"]) {
    it(`differs for ?${other}`, () => {
      expect(signed(other)).not.toBe(signed("a=1"));
    });
  }
});

describe("a query as PHP reads it", () => {
  it("nests lists and objects", () => {
    expect(asJson(parsePhpQuery("a[]=1&a[]=2&b[x][y]=3&c=4&c=5"))).toEqual({
      a: ["1", "2"],
      b: { x: { y: "3" } },
      c: "5",
    });
  });

  it("cannot reach an object's prototype", () => {
    const query = parsePhpQuery("__proto__[admin]=1&constructor[prototype][admin]=1");
    expect(Object.getPrototypeOf(query)).toBeNull();
    expect(Object.hasOwn(Object.prototype, "admin")).toBe(false);
  });

  it("reads a thousand parameters and no more", () => {
    const many = Array.from({ length: 1500 }, (_, index) => `p${index}=1`).join("&");
    expect(Object.keys(parsePhpQuery(many))).toHaveLength(1000);
  });
});
