/** Shells that names can be completed in. */
export const shells = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof shells)[number];

/** The word with which the scripts ask for names. */
export const completeWord = "__complete";

/**
 * The script of each shell. It asks the command that is found by its name, and never one of the folder; what comes back is
 * data for the shell, which evaluates none of it. Without an answer the shell completes names of files.
 */
export const completionScripts: Record<Shell, string> = {
  bash: `# tandem in bash: add to ~/.bashrc:  source <(tandem completion bash)
_tandem() {
  local IFS=$'\\n'
  mapfile -t COMPREPLY < <(command tandem ${completeWord} bash "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *[/=:] ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o bashdefault -o default -o nosort -F _tandem tandem
`,
  zsh: `#compdef tandem
# tandem in zsh: add to ~/.zshrc, below compinit:  source <(tandem completion zsh)
_tandem() {
  local line
  local -a names open
  for line in "\${(@f)$(command tandem ${completeWord} zsh "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      *[/=:]) open+=("$line") ;;
      *) names+=("$line") ;;
    esac
  done
  if (( \${#names} + \${#open} == 0 )); then _files; return; fi
  (( \${#names} )) && compadd -V tandem -- "\${names[@]}"
  (( \${#open} )) && compadd -S '' -V tandem-open -- "\${open[@]}"
  return 0
}
if [ "$funcstack[1]" = "_tandem" ]; then _tandem "$@"; else compdef _tandem tandem; fi
`,
  fish: `# tandem in fish: tandem completion fish > ~/.config/fish/completions/tandem.fish
function __tandem_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l plain (string unescape -- $current 2>/dev/null)
  and set current $plain
  set -l found (command tandem ${completeWord} fish $words[2..-1] "$current" 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path "$current"
  end
end
complete -c tandem -f -k -a '(__tandem_complete)'
`,
  powershell: `# tandem in PowerShell: add to the file that $PROFILE names:  tandem completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName tandem, tandem.cmd, tandem.ps1 -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $tandem = Get-Command -Name tandem -CommandType Application, ExternalScript -ErrorAction SilentlyContinue | Select-Object -First 1
  if ($null -eq $tandem) { return }
  $before = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object {
      if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
    })
  # As Base64, because old versions lose empty words, quotes and every letter that is not ASCII on the way.
  $json = ConvertTo-Json -Compress -InputObject @($before + [string]$wordToComplete)
  $words = [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($json))
  & $tandem ${completeWord} powershell $words 2>$null | ForEach-Object {
    $shown, $typed = [Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($_)) -split "\`t", 2
    [System.Management.Automation.CompletionResult]::new($typed, $shown, 'ParameterValue', $shown)
  }
}
`,
};
