import type { Metadata } from 'next';
import { SkillsPage } from '@/components/skills/skills-page';

export const metadata: Metadata = { title: 'Skills' };

type Props = { readonly params: Promise<{ readonly skillId: string }> };

export default async function Skill({ params }: Props) {
  return <SkillsPage skillId={(await params).skillId} />;
}
