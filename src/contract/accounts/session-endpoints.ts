import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { User } from './user.ts'
import {
  ConfirmSession,
  Session,
  SessionUpdate,
  SignIn,
  SignInOptions,
  SignInResult,
  UserUpdate,
} from './session.ts'

/** The endpoints with which people sign in and change their own account. */
// prettier-ignore
export const sessionEndpoints = {
  signInOptions:     { method: 'GET',    path: '/api/sign_in/',                   scope: null, open: true, status: 200, response: SignInOptions, summary: 'Tell how people can sign in' },
  signIn:            { method: 'POST',   path: '/api/sessions/',                  scope: null, open: true, body: SignIn, status: 201, response: SignInResult, summary: 'Sign in: start a session and set its cookie, or return the step that asks for a code' },
  listSessions:      { method: 'GET',    path: '/api/sessions/',                  scope: 'personal_api_key:read', status: 200, response: z.array(Session), summary: 'List the sessions of the user' },
  deleteSessions:    { method: 'DELETE', path: '/api/sessions/',                  scope: 'personal_api_key:write', status: 204, response: z.null(), summary: 'End the sessions of the user, but for the current one' },
  signOut:           { method: 'DELETE', path: '/api/sessions/@current/',         scope: null, status: 204, response: z.null(), summary: 'Sign out: end the current session' },
  switchOrganization: { method: 'PATCH',  path: '/api/sessions/@current/',        scope: null, body: SessionUpdate, status: 200, response: Session, summary: 'Work in another organization of the user' },
  confirmSession:    { method: 'POST',   path: '/api/sessions/@current/confirm/', scope: null, body: ConfirmSession, status: 200, response: Session, summary: 'Confirm that the user of the current session is present' },
  deleteSession:     { method: 'DELETE', path: '/api/sessions/:id/',              loads: { session: 'id' }, scope: 'personal_api_key:write', status: 204, response: z.null(), summary: 'End a session of the user' },
  changeUser:        { method: 'PATCH',  path: '/api/users/@me/',                 scope: null, body: UserUpdate, status: 200, response: User, summary: 'Change the name, e-mail address or password of the user' },
} as const satisfies Record<string, Endpoint>
