import { HomePage } from '@/components/first-run/home-page';
import { Prefetched } from './prefetched';

/** Where a conversation begins: the first run while no model is there, else an agent and its openers. */
export default function Home() {
  return (
    <Prefetched wanted="home">
      <HomePage />
    </Prefetched>
  );
}
