import { describe, expect, it } from '@jest/globals';
import { projectCliTool } from './project-cli-tool.js';

describe('projectCliTool', () => {
  it('has module, method and input, and nothing of any method', () => {
    const tool = projectCliTool([{ name: 'calendar', description: "The user's calendar." }]);
    expect(tool.name).toBe('project_cli');
    expect(Object.keys(tool.parameters.properties ?? {})).toEqual(['module', 'method', 'input']);
    expect(tool.description).toContain("- calendar: The user's calendar.\n");
    expect(tool.description).toContain('"method":"describe"');
  });
});
