import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { AppError } from '@/server/contract/error';

/** Keeps provider keys unreadable in the database without `TIDEMARK_SECRET` (reliability 6.7). */
export interface SecretBox {
  /** `place` binds the ciphertext to its row: moved elsewhere it does not open. */
  seal(text: string, place: string): string;
  /** Throws `unavailable` where the secret is another one or the text was altered. */
  open(sealed: string, place: string): string;
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM; key = HKDF(secret, "provider-keys/v1"), a fresh nonce each time, a version byte for rotation. */
export function createSecretBox(secret: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'provider-keys/v1', 32));
  return {
    seal: (text, place) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(`${VERSION}|${place}`));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.from([VERSION]), nonce, cipher.getAuthTag(), body]).toString('base64');
    },
    open: (sealed, place) => {
      const bytes = Buffer.from(sealed, 'base64');
      const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
      const tag = bytes.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
      const body = bytes.subarray(1 + NONCE_BYTES + TAG_BYTES);
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(`${bytes[0]}|${place}`));
        return Buffer.concat([decipher.setAuthTag(tag).update(body), decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new AppError('unavailable', 'A stored key cannot be read with the present secret. Enter it again.', {
          cause,
        });
      }
    },
  };
}
