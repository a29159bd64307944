import { useEffect, useState } from 'react';

interface Game {
  slug: string;
  title: string;
  image: string;
}

/** Stands for your app: it knows a path, and nothing of mocks. */
async function listGames(): Promise<Game[]> {
  const answer = await fetch('/api/games', { headers: { Accept: 'application/json' } });
  if (!answer.ok) throw new Error(`The service answered ${answer.status}.`);
  return (await answer.json()).games;
}

export function Games() {
  const [games, setGames] = useState<Game[]>([]);
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    listGames().then(setGames, (error: unknown) => setFailure(String(error)));
  }, []);
  if (failure !== undefined) return <p role="alert">{failure}</p>;
  return (
    <ul>
      {games.map(({ slug, title, image }) => (
        <li key={slug}>
          <img src={image} alt="" width="64" height="64" /> {title}
        </li>
      ))}
    </ul>
  );
}
