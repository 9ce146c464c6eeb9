import Link from 'next/link';
import { PageFrame } from './main-header';

/** Not there, or not for this person: the two are not told apart. */
export function NotFoundPage() {
  return (
    <PageFrame title="Not found">
      <div className="mx-auto max-w-(--prose) p-8">
        <p className="record mb-3 text-record">There is nothing at this address, or it is not yours to see.</p>
        <Link href="/" className="text-accent hover:underline">
          To the start
        </Link>
      </div>
    </PageFrame>
  );
}
