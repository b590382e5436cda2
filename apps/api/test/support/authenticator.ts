import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { type CBORType, encodeCBOR } from "@levischuck/tiny-cbor";

const sha256 = (data: string | Uint8Array): Buffer => createHash("sha256").update(data).digest();
const base64url = (data: Uint8Array): string => Buffer.from(data).toString("base64url");

/** The person is there, and was recognised. */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_CREDENTIAL = 0x40;

type Options = { challenge: string };
/** Where the browser believes to be, and whether the authenticator recognised the person. */
type Place = { origin: string; rpId: string; verified: boolean };

/** A passkey in software, and the browser around it: signs what WebAuthn says, or what a test forges. */
export class Authenticator {
  readonly #id = randomBytes(32);
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  /** Grows with every signature. */
  counter = 0;

  readonly #place: Place;

  constructor(origin: string, rpId = new URL(origin).hostname) {
    this.#place = { origin, rpId, verified: true };
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#privateKey = pair.privateKey;
    this.#publicKey = pair.publicKey;
  }

  /** What `navigator.credentials.create` answers. */
  create({ challenge }: Options) {
    const { x = "", y = "" } = this.#publicKey.export({ format: "jwk" });
    const key = new Map<number, CBORType>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, "base64url"))],
      [-3, new Uint8Array(Buffer.from(y, "base64url"))],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.#id, encodeCBOR(key)]);
    const attestation = new Map<string, CBORType>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", new Uint8Array(this.#authenticatorData(this.#place, WITH_CREDENTIAL, credential))],
    ]);
    return {
      ...this.#named(),
      response: {
        clientDataJSON: base64url(this.#clientData(this.#place, "webauthn.create", challenge)),
        attestationObject: base64url(encodeCBOR(attestation)),
        transports: ["internal"],
      },
    };
  }

  /** What `navigator.credentials.get` answers. @param forged what is otherwise than it should be. */
  sign({ challenge }: Options, forged: Partial<Place> = {}) {
    this.counter += 1;
    const place = { ...this.#place, ...forged };
    const clientData = this.#clientData(place, "webauthn.get", challenge);
    const data = this.#authenticatorData(place, 0);
    const signature = sign("sha256", Buffer.concat([data, sha256(clientData)]), this.#privateKey);
    return {
      ...this.#named(),
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      },
    };
  }

  #named() {
    const id = base64url(this.#id);
    return { id, rawId: id, type: "public-key" as const, clientExtensionResults: {} };
  }

  #clientData({ origin }: Place, type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #authenticatorData(
    { rpId, verified }: Place,
    flags: number,
    credential: Uint8Array = Buffer.alloc(0),
  ): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt8(PRESENT | (verified ? VERIFIED : 0) | flags);
    head.writeUInt32BE(this.counter, 1);
    return Buffer.concat([sha256(rpId), head, credential]);
  }
}
