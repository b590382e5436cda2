import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { type CBORType, encodeCBOR } from "@levischuck/tiny-cbor";

const sha256 = (data: string | Uint8Array): Buffer => createHash("sha256").update(data).digest();
const base64url = (data: Uint8Array): string => Buffer.from(data).toString("base64url");

/** The person is there, and was recognised. */
const PRESENT_AND_VERIFIED = 0x05;
const WITH_CREDENTIAL = 0x40;

type Options = { challenge: string };

/** A passkey in software, and the browser around it: signs what WebAuthn says, or what a test forges. */
export class Authenticator {
  readonly #id = randomBytes(32);
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  /** Grows with every signature. */
  counter = 0;

  constructor(
    private readonly origin: string,
    private readonly rpId = new URL(origin).hostname,
  ) {
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
      ["authData", new Uint8Array(this.#authenticatorData(WITH_CREDENTIAL, credential))],
    ]);
    return {
      ...this.#named(),
      response: {
        clientDataJSON: base64url(this.#clientData("webauthn.create", challenge)),
        attestationObject: base64url(encodeCBOR(attestation)),
        transports: ["internal"],
      },
    };
  }

  /** What `navigator.credentials.get` answers. */
  sign({ challenge }: Options) {
    this.counter += 1;
    const clientData = this.#clientData("webauthn.get", challenge);
    const data = this.#authenticatorData(0);
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
    return { id, rawId: id, type: "public-key", clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  #authenticatorData(flags: number, credential: Uint8Array = Buffer.alloc(0)): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt8(PRESENT_AND_VERIFIED | flags);
    head.writeUInt32BE(this.counter, 1);
    return Buffer.concat([sha256(this.rpId), head, credential]);
  }
}
