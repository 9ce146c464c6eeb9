import { notFound } from 'next/navigation';

/** Any other address is drawn as not found inside the shell, with the conversations still beside it. */
export default function Missing() {
  notFound();
}
