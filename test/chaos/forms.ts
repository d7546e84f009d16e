import type { CourseSettings } from './course.js';
import type { Role } from './deployment.js';

/** One kind of deployment, what goes wrong with it besides, and its part of the whole. */
export interface Form extends Pick<CourseSettings, 'roles' | 'people' | 'planner'> {
  form: string;
  /** Part of all kills of the long form. */
  share: number;
  /** Kills of the short form; absent: the form is not in it. */
  short?: number;
  with?: readonly ('PostgreSQL' | 'shared PostgreSQL' | 'object store' | 'Redis' | 'zombies')[];
}

/** A single one has the embedded PostgreSQL, which is killed with it. */
const ONE_SERVER: readonly Role[] = ['all'];
const TWO_SERVERS: readonly Role[] = ['all', 'all'];
/** Who posts to one, streams from another and comes back to a third. */
const API_AND_WORKERS: readonly Role[] = ['api', 'api', 'api', 'worker', 'worker'];

/** All that `npm run test:chaos` goes through, in this order. */
export const FORMS: Form[] = [
  {
    form: 'two servers, object store and Redis fail',
    roles: TWO_SERVERS,
    people: 6,
    share: 0.15,
    short: 4,
    with: ['object store', 'Redis'],
  },
  {
    form: 'one server, PostgreSQL fails',
    roles: ONE_SERVER,
    people: 4,
    share: 0.15,
    short: 2,
    with: ['PostgreSQL'],
  },
  {
    form: 'API replicas and workers that stand still, Redis fails',
    roles: API_AND_WORKERS,
    people: 6,
    share: 0.2,
    with: ['Redis', 'zombies'],
  },
  {
    form: 'API replicas and workers, PostgreSQL restarts, Redis fails',
    roles: API_AND_WORKERS,
    people: 6,
    share: 0.2,
    with: ['shared PostgreSQL', 'Redis'],
  },
  {
    form: 'two servers that stand still',
    roles: TWO_SERVERS,
    people: 6,
    share: 0.1,
    with: ['zombies'],
  },
  { form: 'one server', roles: ONE_SERVER, people: 4, share: 0.1 },
  {
    form: 'two servers, offline planner',
    roles: TWO_SERVERS,
    people: 6,
    share: 0.1,
    planner: (mark) => `创建日程 ${mark}，明天下午三点到四点`,
  },
];

/** Kills of a form. @param all of the long form; null: it is the short one. */
export function killsOf({ share, short = 0 }: Form, all: number | null): number {
  return all === null ? short : Math.ceil(all * share);
}

/**
 * Milliseconds after which a form kills nothing more: its part of what is left, so that one which is done early
 * leaves its time to those that come later.
 * @param left milliseconds for it and all forms behind it.
 */
export function timeOf(form: Form, left: number): number {
  const later = FORMS.slice(FORMS.indexOf(form)).map(weightOf);
  return (Math.max(0, left) * weightOf(form)) / later.reduce((sum, weight) => sum + weight, 0);
}

/** A deployment of many processes takes longer until it is there again. */
function weightOf({ share, roles }: Form): number {
  return share * (roles.length > 2 ? 2 : 1);
}
