'use client';
import { useState } from 'react';

export default function HomePage() {
  const [clicks, setClicks] = useState(0);
  return (
    <main>
      <h1>Tidemark</h1>
      <button type="button" onClick={() => setClicks(clicks + 1)}>
        Clicked {clicks} times
      </button>
    </main>
  );
}
